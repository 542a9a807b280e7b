// Counts the everyday prompts and the documents of AI and security packages that the default settings block:
// npm run x -- eval:everyday [--open]. Exits with 1 where too many are blocked. `--open` leaves the closed prompts out.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { Screening } from '#engine/controls/screening/screening.js';
import { wilson } from './figures.mjs';

const PACKAGES = new URL('../../node_modules/', import.meta.url);
const LOCK = new URL('../../package-lock.json', import.meta.url);
const MAX_SHARE = { prompts: 2 / 600, documents: 3 / 150 };

/** @typedef {{ readonly name: string, readonly text: string, readonly origin: 'prompt' | 'document' }} Everyday */

const read = (name) => readFileSync(new URL(`everyday/${name}`, import.meta.url), 'utf8').trim();

/**
 * @param {'open' | 'closed'} part
 * @returns {readonly Everyday[]}
 */
export function readPrompts(part) {
  return read(`${part}.jsonl`)
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ lang, subject, text }) => ({ name: `${lang} ${subject}`, text, origin: 'prompt' }));
}

/**
 * Texts of installed packages. `npm ci` compares each package with its integrity in the lock file.
 *
 * @returns {readonly Everyday[]}
 */
export function readDocuments() {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8'));
  return JSON.parse(read('documents.json')).flatMap(({ name, files }) => {
    const { version, integrity } = packages[`node_modules/${name}`] ?? {};
    const installed = JSON.parse(readFileSync(new URL(`${name}/package.json`, PACKAGES), 'utf8')).version;
    if (integrity === undefined || installed !== version)
      throw new Error(`${name}@${installed} is installed, not the locked ${version}. Run npm ci.`);
    return files.map((file) => ({
      name: `${name}@${version} ${file}`,
      text: readFileSync(new URL(`${name}/${file}`, PACKAGES), 'utf8'),
      origin: 'document',
    }));
  });
}

/**
 * @param {readonly Everyday[]} texts
 * @param {Settings} settings
 * @returns the texts that are blocked, each with the rules that matched, and the number of those that a rule observes
 */
export async function blockedOf(texts, settings = new Settings(DEFAULT_SETTINGS)) {
  const screening = new Screening({ screeners: [] });
  const blocked = [];
  let observed = 0;
  for (const each of texts) {
    const verdict = await screening.judge(each.text, { origin: each.origin }, settings);
    const rules = [...new Set(verdict.matchedRules.map(({ ruleId }) => ruleId))];
    if (verdict.blocked) blocked.push({ ...each, rules: verdict.tooLong ? ['too long'] : rules });
    else if (verdict.matched) observed += 1;
  }
  return { blocked, observed };
}

async function check(kind, texts) {
  const { blocked, observed } = await blockedOf(texts);
  const { high } = wilson(blocked.length, texts.length);
  const most = Math.floor(MAX_SHARE[kind] * texts.length);
  console.log(
    `${kind}: ${blocked.length} of ${texts.length} blocked, at most ${most} allowed; ` +
      `upper 95 % bound ${(high * 100).toFixed(1)} %; ${observed} more observed`,
  );
  return { blocked, passes: blocked.length <= most };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { open: { type: 'boolean', default: false } } });
  const open = readPrompts('open');
  const prompts = await check('prompts', [...open, ...(values.open ? [] : readPrompts('closed'))]);
  const documents = await check('documents', readDocuments());
  // Nobody reads the closed prompts, so only their number is shown.
  const isOpen = new Set(open.map(({ text }) => text));
  for (const { name, origin, text, rules } of [...prompts.blocked, ...documents.blocked]) {
    if (origin === 'document') console.log(`  ${name}: ${rules.join(', ')}`);
    else if (isOpen.has(text)) console.log(`  ${name}: ${rules.join(', ')}: ${text}`);
  }
  process.exitCode = prompts.passes && documents.passes ? 0 : 1;
}
