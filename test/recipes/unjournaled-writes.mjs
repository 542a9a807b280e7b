// usage: node unjournaled-writes.mjs JOURNAL_STORES.js TESTING.js
// Removes each entry of the WRITES list from the compiled recipe in turn, runs the durability cases of the store suite on
// the result, and prints how many of them fail. The first line is the recipe without a change.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';

const [recipe, testing] = process.argv.slice(2);
const { describeStoreBackend } = await import(pathToFileURL(testing).href);
const source = readFileSync(recipe, 'utf8');
const entries = [...source.matchAll(/^ *\['(\w+)', '(\w+)'.*\],\n/gm)];

console.log(`unchanged: ${await countFailures(source)} of ${casesOf(() => null).length} cases fail`);
for (const [line, store, method] of entries) {
  console.log(`without ${store}.${method}: ${await countFailures(source.replace(line, ''))} cases fail`);
}

async function countFailures(text) {
  const variant = recipe.replace(/\.js$/, `.${crypto.randomUUID()}.js`);
  writeFileSync(variant, text);
  try {
    const { journalStores } = await import(pathToFileURL(variant).href);
    let failures = 0;
    for (const run of casesOf(journalStores))
      failures += await run().then(
        () => 0,
        () => 1,
      );
    return failures;
  } finally {
    rmSync(variant);
  }
}

/** The durability cases as functions. Each uses a new journal in a folder of its own. */
function casesOf(journalStores) {
  const names = [];
  const cases = [];
  const hooks = {};
  let folder;
  const openJournal = async () => {
    const stores = journalStores(join(folder, 'journal'));
    await stores.open();
    return stores;
  };
  describeStoreBackend(
    {
      describe(name, body) {
        names.push(name);
        body();
        names.pop();
      },
      it(_name, body) {
        if (names.at(-1) !== 'durability') return;
        cases.push(async () => {
          folder = mkdtempSync(join(tmpdir(), 'journal-'));
          await hooks.before();
          try {
            await body();
          } finally {
            await hooks.after();
            rmSync(folder, { recursive: true });
          }
        });
      },
      beforeEach: (body) => (hooks.before = body),
      afterEach: (body) => (hooks.after = body),
    },
    { name: 'journal', open: openJournal, close: (stores) => stores.close(), reopen: openJournal },
  );
  return cases;
}
