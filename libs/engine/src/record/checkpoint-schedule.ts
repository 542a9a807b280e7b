// The periodic tasks call `tick` on every instance.
import { randomUUID } from 'node:crypto';
import type { Clock } from '#contracts/common/clock.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { AuditCheckpointed } from '#contracts/events/operation-events.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { LogHead } from '#contracts/events/checkpoints.js';
import type { LogSeal, SignedHead, TransparencyLog } from '#contracts/log/transparency-log.js';
import type { EventRouter } from '../shared/ports.js';
import { CheckpointSigner, logSeal } from './checkpoint-notes.js';

/** Rows per transaction. */
const EXTENDED_AT_ONCE = 5_000;

interface CheckpointScheduleOptions {
  readonly log: TransparencyLog;
  readonly configured: SettingValues;
  readonly router: EventRouter;
  readonly publisher: EventPublisher;
  readonly clock: Clock;
}

/**
 * Extends the transparency log and signs a checkpoint when one is due, on any instance with the key. Without the key, what
 * operators did is logged at every tick, under a keyed digest from another secret.
 */
export class CheckpointSchedule {
  private readonly signer: CheckpointSigner | null;
  private readonly sealOf: LogSeal | null;
  private readonly everyMs: number;
  private isStopping = false;

  /** @throws ConfigurationError if the key is invalid */
  constructor(private readonly options: CheckpointScheduleOptions) {
    const { configured } = options;
    const key = configured['audit.checkpoint_key'];
    this.signer = key === null ? null : new CheckpointSigner(key);
    const secret = configured['hitl.token_secret'] ?? configured['audit_hygiene.hash_key'];
    const sealOf = secret === null ? null : logSeal(secret);
    if (sealOf !== null) options.log.sealRows(sealOf);
    this.sealOf = key === null ? sealOf : null;
    this.everyMs = 1_000 * configured['audit.checkpoint_interval'];
  }

  /** The store decides by its own clock whether a checkpoint is due. */
  async tick(): Promise<void> {
    const { signer, sealOf } = this;
    if (sealOf !== null && !(await this.options.log.seal(sealOf)))
      throw new Error(
        "The keyed digest of the log does not match: the log was changed, or hitl.token_secret. Run npx nest-guardrails verify with the earlier secret. If it finds nothing, let the owner of the tables run: update guardrails_log_state set seal = ''",
      );
    if (signer === null || !(await this.isProbablyDue())) return;
    while (!this.isStopping && (await this.options.log.extend(EXTENDED_AT_ONCE)));
    if (this.isStopping) return;
    const id = randomUUID();
    const event = (head: LogHead, note: string) => new AuditCheckpointed(id, { ...head, note }, head.time);
    const checkpoint = await this.options.log.checkpoint(this.everyMs, (head): SignedHead => {
      const note = signer.sign(head);
      return { note, outgoing: this.options.router.route(event(head, note)) };
    });
    if (checkpoint !== null) this.options.publisher.publish(event(checkpoint, checkpoint.note));
  }

  /** Stops after the current batch. Every batch is committed, so that the next tick of any instance continues. */
  beginStop(): void {
    this.isStopping = true;
  }

  private async isProbablyDue() {
    const newest = await this.options.log.newest();
    return newest === null || newest.time.getTime() + this.everyMs <= this.options.clock.now().getTime();
  }
}
