import { beforeAll, describe, expect } from '@jest/globals';
import type { AuditListData } from '#contracts/audit/entry.js';
import type { AuditTrendData } from '#contracts/audit/counts.js';
import type { FirewallListData } from '#contracts/firewall/firewall.api.js';
import { scrubText } from '#contracts/common/text.js';
import { decision, NOON, refusal } from '#stores/contract/builders.js';
import { expectEnvelope } from '../support/envelope.js';
import type { Bench } from '../support/hosts.js';
import { keep, unique } from './material.js';

/** Characters that are special in LIKE, regular expressions, SQL, JSON or URLs, and ordinary ones. */
const HOSTILE: readonly string[] = [
  ...String.raw`% _ \ \% %% a_b \_ ' " ${'`'} '' ;-- $1 $$ :name ? * .* [a-z] ^ ( | {{7*7}} # \u0000 %25 %00 + a&b=c &amp;`.split(
    ' ',
  ),
  ...'<b>x</b> ../.. é É ß ss ı i I k İ ﬀ 😀 👩‍👩‍👧 漢字 null NULL undefined true 0 __proto__'.split(' '),
  "' or 1=1 --",
  "'); drop table guardrails_audit_evidence;--",
  'e\u0301',
  '\u212A',
  '\n',
  '\t',
  '\r\n',
  ' ',
  '\u00A0',
  '\u202E',
  '\uFEFF',
  '\uFFFD',
  'a\u0000b',
  '\uD83D',
  'x\uDE00',
  'x'.repeat(500),
];

const sent = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Only the case of ASCII letters is ignored. */
const folded = (text: string): string =>
  scrubText(text).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const finds = (text: string, q: string): boolean => folded(text).includes(folded(q));

export function describeLiteralSearch(bench: Bench): void {
  const { itOnEachStore } = bench;

  const scope = unique('shop');
  const prompts = HOSTILE.map((text) => `<${text}>`);
  const searched = HOSTILE;
  const ids = new Map<number, string>();

  const audit = async (query: string): Promise<AuditListData['entries']> => {
    const answer = await bench.api.get(`/audit?limit=200&${query}`);
    expectEnvelope(answer, 200, 'audit-list');
    return (answer.body.data as unknown as AuditListData).entries;
  };

  describe('contract 3.2: hostile text is compared literally', () => {
    beforeAll(async () => {
      const kept = await keep(
        bench,
        HOSTILE.map((text, index) =>
          decision({
            prompt: prompts[index] ?? '',
            application: scope,
            ruleId: text,
            principalId: text,
          }),
        ),
      );
      kept.forEach((id, index) => ids.set(id, HOSTILE[index] ?? ''));
      await keep(
        bench,
        HOSTILE.map((text) => refusal({ application: scope, tool: text, principalId: text })),
      );
      await keep(
        bench,
        HOSTILE.map((text) => decision({ application: text, principalId: scope })),
      );
    });

    itOnEachStore('q finds exactly the prompts that contain it', async () => {
      for (const q of searched) {
        const found = await audit(`application=${scope}&q=${sent(q)}`);
        const expected = HOSTILE.filter((_, index) => finds(prompts[index] ?? '', q));
        expect({ q, found: found.map(({ id }) => ids.get(id)) }).toEqual({ q, found: expected.toReversed() });
      }
    });

    itOnEachStore('q of the trend counts exactly the prompts that contain it', async () => {
      const day = NOON.toISOString().slice(0, 10);
      for (const q of searched) {
        const { points } = await bench.read<AuditTrendData>(
          `/audit/trend?application=${scope}&from=${day}&to=${day}&q=${sent(q)}`,
        );
        expect({ q, total: points[0]?.total }).toEqual({
          q,
          total: prompts.filter((prompt) => finds(prompt, q)).length,
        });
      }
    });

    itOnEachStore.each(['rule_id', 'principal_id'])('%s finds exactly the equal values', async (name) => {
      for (const text of searched) {
        const found = await audit(`application=${scope}&${name}=${sent(text)}`);
        const expected = HOSTILE.filter((other) => scrubText(other) === scrubText(text));
        expect({ text, found: found.map(({ id }) => ids.get(id)) }).toEqual({
          text,
          found: expected.toReversed(),
        });
      }
    });

    itOnEachStore('application finds exactly the equal values', async () => {
      for (const text of searched) {
        const found = await audit(`principal_id=${scope}&application=${sent(text)}`);
        expect({ text, found: new Set(found.map(({ application }) => application)) }).toEqual({
          text,
          found: new Set([scrubText(text)]),
        });
      }
    });

    itOnEachStore.each(['tool', 'principal_id'])(
      '%s of the firewall finds exactly the equal values',
      async (name) => {
        for (const text of searched) {
          const { entries } = await bench.read<FirewallListData>(
            `/firewall?application=${scope}&${name}=${sent(text)}`,
          );
          expect({ text, found: new Set(entries.map(({ tool }) => tool)) }).toEqual({
            text,
            found: new Set([scrubText(text)]),
          });
        }
      },
    );

    itOnEachStore('q of the firewall finds exactly the tools whose names contain it', async () => {
      for (const q of searched) {
        const { entries } = await bench.read<FirewallListData>(
          `/firewall?limit=200&application=${scope}&q=${sent(q)}`,
        );
        expect({ q, found: entries.map(({ tool }) => tool) }).toEqual({
          q,
          found: HOSTILE.filter((tool) => finds(tool, q))
            .map(scrubText)
            .toReversed(),
        });
      }
    });

    itOnEachStore(
      'contract 3.5: replaces characters that UTF-8 cannot represent, in texts and in names',
      async () => {
        const [entry] = await audit(`application=${scope}&rule_id=${sent('\uD83D')}`);
        expect(entry).toMatchObject({
          rule_id: '\uFFFD',
          principal_id: '\uFFFD',
          prompt_preview: '<\uFFFD>',
        });
        const application = unique('shop');
        await keep(bench, [
          refusal({ application, tool: 'odd\uD83D', violations: { 'k\u0000\uD83D': 'v\uDE00' } }),
        ]);
        const answer = await bench.api.get(`/firewall?application=${application}`);
        expectEnvelope(answer, 200, 'firewall');
        expect(answer.body.data).toMatchObject({
          entries: [{ tool: 'odd\uFFFD', violations: { 'k\uFFFD\uFFFD': 'v\uFFFD' } }],
        });
      },
    );
  });
}
