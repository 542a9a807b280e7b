import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import type { Clock } from '#contracts/common/clock.js';
import type { Settings } from '#contracts/settings/settings.js';
import type {
  CallReview,
  CallStops,
  ToolCatalog,
  Redactor,
  CurrentSettings,
  DecisionRecorder,
  Diagnostics,
  RuleCatalog,
} from '../../shared/ports.js';
import type { Tracing } from '../../shared/tracing.js';
import type { ApprovalKeys } from './approval-keys.js';
import type { ApproverCheck } from './approval-quorum.js';

/** What the classes of approvals take from the rest of the engine. */
export interface ApprovalDependencies {
  readonly store: ApprovalStore;
  /** `null` without `hitl.token_secret`: approvals are not set up. */
  readonly keys: ApprovalKeys | null;
  readonly tools: ToolCatalog;
  readonly review: CallReview;
  readonly stops: CallStops;
  readonly approvers: ApproverCheck;
  readonly policyRevision: (settings: Settings, tool: string) => string;
  readonly recorder: DecisionRecorder;
  readonly ruleCatalog: RuleCatalog;
  readonly redactor: Redactor;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  readonly tracing: Tracing;
}
