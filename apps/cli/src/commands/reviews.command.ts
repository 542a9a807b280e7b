import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ReviewStore } from '#contracts/audit/review.store.js';
import { UsageError, type Command } from '../shared/command.js';
import { DATABASE_OPTIONS, databaseAddress, withMaintenance } from '../shared/database.js';

const PAGE_SIZE = 200;

export const reviewsExportCommand: Command = {
  name: 'reviews export',
  summary: 'Writes reviewed prompts as labelled examples, one JSON object per line.',
  positionals: ['out'],
  details: [
    'Each line has text, label (1: attack, 0: harmless), source, entry_id and rule_id, as npm run x -- eval of the project reads them. The latest review of an entry counts.',
    'Prompts that are unsure, hashed, truncated or erased are left out. The file contains texts of users: it is created readable for its owner only, and an existing file is not overwritten.',
  ],
  options: {
    ...DATABASE_OPTIONS,
    out: { short: 'o', value: 'FILE', help: 'The new file. Its name must end in .jsonl.' },
  },
  examples: ['nest-guardrails reviews export reviewed.jsonl'],
  exits: ['The file is complete.', null, 'The database or the file failed; the file may be incomplete.'],

  async run(session) {
    const out = session.options.required('out');
    if (!out.endsWith('.jsonl')) throw new UsageError('The name of the file must end in .jsonl.');
    const count = await withMaintenance(databaseAddress(session), async (maintenance) => {
      const read = examples(maintenance.reviews());
      // The first line is read before the file is created, so that a database that cannot be read leaves no file.
      const first = await read.next();
      let written = 0;
      async function* lines(): AsyncIterable<string> {
        for (let next = first; next.done !== true; next = await read.next()) {
          written++;
          yield next.value;
        }
      }
      await pipeline(lines(), createWriteStream(out, { flags: 'wx', mode: 0o600 }));
      return written;
    });
    session.terminal.print(`${count} examples were written.`);
    return 0;
  },
};

async function* examples(reviews: ReviewStore): AsyncGenerator<string, void, void> {
  let cursor: number | null = Number.MAX_SAFE_INTEGER;
  while (cursor !== null) {
    const { entries, next_cursor }: Awaited<ReturnType<ReviewStore['labelled']>> = await reviews.labelled({
      cursor,
      limit: PAGE_SIZE,
    });
    for (const { id, text, isAttack, origin, ruleId } of entries) {
      const label = isAttack ? 1 : 0;
      const example = { text, label, source: `reviews of ${origin}`, entry_id: id, rule_id: ruleId };
      yield `${JSON.stringify(example)}\n`;
    }
    cursor = next_cursor;
  }
}
