import { ApprovalSeals } from './approval-seals.js';
import { ApprovalTokens, type TokenDelivery } from './approval-token.js';

/** What `hitl.token_secret` is good for. Without it the bridge is not set up. */
export class ApprovalKeys {
  readonly tokens: ApprovalTokens;
  readonly seals: ApprovalSeals;

  constructor(secret: string, delivery: TokenDelivery) {
    this.tokens = new ApprovalTokens(secret, delivery);
    this.seals = new ApprovalSeals(secret);
  }
}
