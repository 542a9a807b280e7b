import assert from 'node:assert/strict';
import { decision, newBytes } from './builders.js';
import type { Runner, Stage } from './harness.js';

export function auditEvidenceContract({ describe, it }: Runner, stage: Stage): void {
  describe('evidence and content', () => {
    it('keep commitments and salt to the last bit', async () => {
      const { audit } = stage.backend;
      const commitments = { prompt: newBytes(), matchedText: newBytes(), principal: newBytes() };
      const salt = newBytes();
      const found = await audit.find(await audit.append(decision({ commitments, salt })));
      assert.deepEqual([found?.commitments, found?.salt], [commitments, salt]);
    });

    it('keep absent commitments, and an absent salt, as null', async () => {
      const { audit } = stage.backend;
      const commitments = { prompt: newBytes(), matchedText: null, principal: null };
      const erased = decision({ commitments, salt: null, storage: 'erased', prompt: '' });
      const found = await audit.find(await audit.append(erased));
      assert.deepEqual([found?.commitments, found?.salt], [commitments, null]);
    });

    for (const length of [500, 3_000, 50_000]) {
      it(`keep a principal and a run of ${length} characters whole, and find by it`, async () => {
        const { audit } = stage.backend;
        const principalId = 'ü'.repeat(length);
        await audit.append(decision({ principalId: `${principalId}x` }));
        const id = await audit.append(decision({ principalId, runId: principalId }));
        const { entries } = await audit.list({ principalId }, { limit: 5 });
        assert.deepEqual(
          entries.map((entry) => [entry.id, entry.principalId === principalId]),
          [[id, true]],
        );
        assert.ok((await audit.find(id))?.runId === principalId);
      });
    }

    it('tell principals apart that differ in case, in accents or in a trailing space', async () => {
      const { audit } = stage.backend;
      const names = ['jose', 'Jose', 'josé', 'jose\u0301', 'jose ', ''];
      for (const principalId of names) await audit.append(decision({ principalId }));
      await audit.append(decision());
      for (const principalId of names) {
        const { entries } = await audit.list({ principalId }, { limit: 9 });
        assert.deepEqual(
          entries.map((entry) => entry.principalId),
          [principalId],
        );
      }
    });

    it('say how the commits fare, where many go together', async () => {
      const { audit } = stage.backend;
      await Promise.all(Array.from({ length: 20 }, () => audit.append(decision())));
      const { commits } = audit;
      if (commits === null) return;
      assert.ok(commits.batches > 0 && commits.meanBatch >= 1 && commits.lastBatch >= 1);
      assert.ok(commits.latencyMs.p50 > 0 && commits.latencyMs.p99 >= commits.latencyMs.p50);
    });
  });
}
