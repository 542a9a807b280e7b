import type { Approval } from '#contracts/approvals/approvals.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';

/** Stores whose approvals were changed in the database. */
export function tampered(
  backend: StoreBackend,
  change: (approval: Approval) => Partial<Approval>,
): StoreBackend {
  const touched = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(touched);
    if ('entries' in value) return { ...value, entries: touched(value.entries) };
    if ('approval' in value) return { ...value, approval: touched(value.approval) };
    return 'tokenHash' in value ? { ...value, ...change(value as Approval) } : value;
  };
  const approvals = new Proxy(backend.approvals, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => touched(await Reflect.apply(member, target, given));
    },
  });
  return new Proxy(backend, {
    get: (target, name) => (name === 'approvals' ? approvals : Reflect.get(target, name)),
  });
}
