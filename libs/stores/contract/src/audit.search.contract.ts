import assert from 'node:assert/strict';
import type { DecisionParts } from './builders.js';
import type { Contract } from './backend-fixture.js';
import { PATTERN_CHARACTERS, UNUSUAL_TEXT } from './hostile-text.js';

export const auditSearchContract: Contract = ({ describe, it }, fixture) => {
  const { audit } = fixture;
  /** The request ids of the rows that contain `q`, newest first. */
  async function search(q: string, rows: readonly DecisionParts[]): Promise<(string | null)[]> {
    await fixture.append(...rows);
    const entries = await fixture.entries({ q });
    const found = await Promise.all(entries.map((entry) => audit.find(entry.id)));
    return found.map((entry) => entry?.requestId ?? null);
  }

  describe('search', () => {
    for (const q of [
      ...PATTERN_CHARACTERS.map((character) => `a${character}b`),
      '\\%',
      '\\_',
      '%%',
      "' OR '1'='1",
      '\\\\',
      '^.*$',
      '$1',
      '?',
      ':q',
      "E'\\x61'",
      '${q}',
    ]) {
      it(`treats ${JSON.stringify(q)} literally`, async () => {
        const found = await search(q, [
          { requestId: 'other', prompt: 'aXb a b ab aXXb anything at all' },
          { requestId: 'meant', prompt: `…${q}…` },
        ]);
        assert.deepEqual(found, ['meant']);
      });
    }

    it('finds a text at the beginning, in the middle, at the end and as the whole prompt', async () => {
      const found = await search('needle', [
        { requestId: 'beginning', prompt: 'needle in hay' },
        { requestId: 'middle', prompt: 'a needle in hay' },
        { requestId: 'end', prompt: 'hay and needle' },
        { requestId: 'whole', prompt: 'needle' },
        { requestId: 'nearly', prompt: 'needl e' },
      ]);
      assert.deepEqual(found, ['whole', 'end', 'middle', 'beginning']);
    });

    it('ignores the case of ASCII letters in the query and in the prompt', async () => {
      const rows = [
        { requestId: 'upper', prompt: 'IGNORE THIS' },
        { requestId: 'lower', prompt: 'ignore this' },
        { requestId: 'mixed', prompt: 'IgNoRe ThIs' },
      ];
      assert.deepEqual(await search('iGNORE tHIS', rows), ['mixed', 'lower', 'upper']);
    });

    it('distinguishes accents', async () => {
      const rows = [
        { requestId: 'plain', prompt: 'resume' },
        { requestId: 'accented', prompt: 'résumé' },
        { requestId: 'combining', prompt: 're\u0301sume\u0301' },
      ];
      assert.deepEqual(await search('résumé', rows), ['accented']);
      assert.deepEqual(await search('resume', []), ['plain']);
    });

    it('ignores the case of ASCII letters next to other letters, and distinguishes emoji', async () => {
      const rows = [
        { requestId: 'it', prompt: 'straße 漢字 😢 x' },
        { requestId: 'other', prompt: 'straße 漢字 😀 x' },
      ];
      assert.deepEqual(await search('STRAßE 漢字 😢 X', rows), ['it']);
    });

    it('finds unusual text by the same text', async () => {
      assert.deepEqual(await search(UNUSUAL_TEXT, [{ requestId: 'it', prompt: `<${UNUSUAL_TEXT}>` }]), [
        'it',
      ]);
    });

    it('finds a text at the end of a megabyte', async () => {
      const prompt = `${'0123456789abcde\n'.repeat(65_536)}the needle`;
      assert.deepEqual(await search('The Needle', [{ requestId: 'long', prompt }]), ['long']);
    });

    it('accepts a query longer than every prompt', async () => {
      assert.deepEqual(await search('x'.repeat(500), [{ prompt: 'x'.repeat(499) }]), []);
    });

    it('searches the stored text, not the original', async () => {
      const rows = [
        { requestId: 'hashed', storage: 'hash', prompt: 'hmac-sha256:0badcafe' },
        { requestId: 'redacted', storage: 'redact', prompt: 'write to [email] now' },
        { requestId: 'erased', storage: 'erased', prompt: '' },
      ] as const;
      assert.deepEqual(await search('0BADCAFE', rows), ['hashed']);
      assert.deepEqual(await search('[email]', []), ['redacted']);
      assert.deepEqual(await search('customer@example.com', []), []);
    });

    it('searches only the prompt', async () => {
      const elsewhere = { principalId: 'needle', ruleId: 'needle', matchedText: 'needle', tool: 'needle' };
      assert.deepEqual(await search('needle', [{ ...elsewhere, prompt: 'hay' }]), []);
    });
  });
};
