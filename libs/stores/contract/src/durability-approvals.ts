import assert from 'node:assert/strict';
import {
  LEASE_MS,
  NOTHING,
  park,
  parkApproved,
  parkClaimed,
  parkFinished,
  resolution,
} from './approval-helpers.js';
import { approvalEvidence, newApproval } from './builders.js';
import { type DurabilityCases, restart } from './durability-helpers.js';
import { LONG } from './outbox-helpers.js';

export const DURABLE_APPROVALS: DurabilityCases['approvals'] = {
  findSame: 'reads',
  findLast: 'reads',
  pending: 'reads',
  history: 'reads',
  find: 'reads',
  findByTokenHash: 'reads',
  stuck: 'reads',
  dueReminders: 'reads',
  async remind(fixture) {
    const { id } = await park(fixture);
    await fixture.backend.approvals.remind(id, 'reminded', 0, approvalEvidence);
    await restart(fixture);
    assert.deepEqual(await fixture.backend.approvals.dueReminders('reminded', 0, 10), []);
  },
  settled: 'reads',
  dueNotifications: 'reads',
  encryptedToken: 'reads',
  async park(fixture) {
    await park(fixture, { encryptedToken: 'sealed' });
    await restart(fixture);
  },
  async decide(fixture) {
    await parkApproved(fixture);
    await restart(fixture);
  },
  async claim(fixture) {
    await parkClaimed(fixture);
    await restart(fixture);
  },
  async claimAgain(fixture) {
    const { id, fence } = await parkClaimed(fixture, 0);
    await fixture.backend.approvals.claimAgain(id, fence, LEASE_MS);
    await restart(fixture);
  },
  async renew(fixture) {
    const { id, fence } = await parkClaimed(fixture, 0);
    await fixture.backend.approvals.renew(id, fence, LEASE_MS);
    await restart(fixture);
  },
  async finish(fixture) {
    await parkFinished(fixture, 'executed');
    await restart(fixture);
  },
  async markUnknown(fixture) {
    const { id, fence } = await parkClaimed(fixture, 0);
    await fixture.backend.approvals.markUnknown(id, fence, NOTHING, approvalEvidence);
    await restart(fixture);
  },
  async supersede(fixture) {
    await parkFinished(fixture, 'superseded');
    await restart(fixture);
  },
  async expire(fixture) {
    const { id } = await park(fixture, { ttlMs: 0 });
    await fixture.backend.approvals.expire(id, approvalEvidence);
    await restart(fixture);
  },
  async propose(fixture) {
    const { id } = await park(fixture);
    const command = { call: newApproval(), evidence: approvalEvidence, supersession: approvalEvidence };
    await fixture.backend.approvals.propose(id, command);
    await restart(fixture);
  },
  async resolve(fixture) {
    const { id } = await parkFinished(fixture, 'outcome_unknown');
    await fixture.backend.approvals.resolve(id, resolution());
    await restart(fixture);
  },
  async claimNotification(fixture) {
    const { id } = await parkFinished(fixture, 'executed');
    await fixture.backend.approvals.claimNotification(id, LONG);
    await restart(fixture);
  },
  async retryNotification(fixture) {
    const { id, status } = await parkFinished(fixture, 'executed');
    await fixture.backend.approvals.claimNotification(id, LONG);
    await fixture.backend.approvals.retryNotification(id, status, 0);
    await restart(fixture);
  },
  async markNotified(fixture) {
    const { id, status } = await parkFinished(fixture, 'executed');
    await fixture.backend.approvals.markNotified(id, status);
    await restart(fixture);
  },
};
