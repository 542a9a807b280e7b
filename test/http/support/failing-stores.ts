import { StoreBackend } from '../../../libs/contracts/src/stores.js';

/** Real stores that fail for as long as they are told to. */
export class FailingStores extends StoreBackend {
  failure: Error | null = null;
  override readonly audit: StoreBackend['audit'];
  override readonly firewall: StoreBackend['firewall'];
  override readonly output: StoreBackend['output'];
  override readonly approvals: StoreBackend['approvals'];
  override readonly settings: StoreBackend['settings'];
  override readonly overview: StoreBackend['overview'];
  override readonly outbox: StoreBackend['outbox'];

  constructor(private readonly inner: StoreBackend) {
    super();
    this.audit = this.failable(inner.audit);
    this.firewall = this.failable(inner.firewall);
    this.output = this.failable(inner.output);
    this.approvals = this.failable(inner.approvals);
    this.settings = this.failable(inner.settings);
    this.overview = this.failable(inner.overview);
    this.outbox = this.failable(inner.outbox);
  }

  override open(): Promise<void> {
    return this.inner.open();
  }

  override close(): Promise<void> {
    return this.inner.close();
  }

  async while<T>(failure: Error, act: () => Promise<T>): Promise<T> {
    this.failure = failure;
    try {
      return await act();
    } finally {
      this.failure = null;
    }
  }

  private failable<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown =>
          this.failure === null ? Reflect.apply(member, target, args) : Promise.reject(this.failure);
      },
    });
  }
}
