export { SlackApprovals, type SlackAcknowledgement, type SlackApprovalsOptions } from './slack-approvals.js';
export type { SlackHeaders } from './slack-request.js';
