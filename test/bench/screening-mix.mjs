import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Screening } from '../../dist/libs/engine/src/controls/screening/screening.js';
import { longText, mixedTexts } from './engine-texts.mjs';
import { median, ratioOf, timesInTurn } from './measure.mjs';

const MEGABYTE = 1_000_000;
const TEXTS = 400;
const LONG = { 'normalization.max_prompt_length': 2 * MEGABYTE };
const settings = new Settings({ ...DEFAULT_SETTINGS, ...LONG });
const screening = new Screening({ screeners: [] });

/**
 * Screening of a realistic mix of texts.
 *
 * @param {string | undefined} peerFolder a built clone of commit a8a6475, whose rules and views are then also measured
 */
export async function mixFigures(peerFolder) {
  const figures = [await perByte()];
  if (peerFolder === undefined) {
    console.error('Figures beside a8a6475 are skipped. Pass --peer FOLDER with a built clone of it.');
    return figures;
  }
  const peer = await loadPeer(resolve(peerFolder));
  const attacks = screening.rulesInForce(settings).flatMap(({ examples }) => examples);
  const mix = mixedTexts(TEXTS, attacks);
  return [
    ...figures,
    await beside(peer, `mix of ${TEXTS} texts`, mix, 1 / 3),
    await beside(peer, '1 MB', [longText(MEGABYTE)], 0.8),
  ];
}

async function perByte() {
  const attacks = screening.rulesInForce(settings).flatMap(({ examples }) => examples);
  const whole = mixedTexts(2 * TEXTS, attacks)
    .join('\n')
    .slice(0, 200_000);
  const parts = (/** @type {number} */ length) =>
    Array.from({ length: Math.floor(whole.length / length) }, (_, index) =>
      whole.slice(index * length, (index + 1) * length),
    );
  const works = [10_000, 1_000].map((length) => judging(screening, settings, parts(length)));
  const [long, short] = await timesInTurn(7, works);
  const ratio = ratioOf(long, short);
  return {
    name: 'mix in texts of 10 KB, ms',
    value: median(long),
    peers: { 'the same in texts of 1 KB': median(short) },
    goal: '<= 1.3 of 1 KB',
    met: ratio <= 1.3,
  };
}

async function beside(peer, name, texts, goal) {
  const works = [
    judging(screening, peer.ourSettings, texts),
    judging(peer.screening, peer.settings, texts),
    judging(screening, settings, texts),
  ];
  const [ours, theirs, withAllRules] = await timesInTurn(5, works);
  const ratio = ratioOf(ours, theirs);
  return {
    name: `${name} with the rules and views of a8a6475, ms`,
    value: median(ours),
    peers: { a8a6475: median(theirs), 'with all rules and views of today': median(withAllRules) },
    goal: `<= ${goal.toFixed(2)} of a8a6475`,
    met: ratio <= goal,
  };
}

function judging(judge, its, texts) {
  return async () => {
    for (const text of texts) await judge.judge(text, {}, its);
  };
}

/** The screening of another build, and our settings with its rules and views. */
async function loadPeer(folder) {
  const load = (path) => import(pathToFileURL(join(folder, 'dist/libs', path)).href);
  const contracts = await load('contracts/src/settings/settings.js');
  const engine = await load('engine/src/screening/screening.js');
  const its = new contracts.Settings({ ...contracts.DEFAULT_SETTINGS, ...LONG });
  const peer = new engine.Screening({ screeners: [] });
  const ids = [...screening.rulesInForce(settings), ...screening.screenersInForce(settings)].map(
    ({ id }) => id,
  );
  const ourSettings = new Settings({
    ...DEFAULT_SETTINGS,
    ...LONG,
    'input_screen.rule_modes': Object.fromEntries(ids.map((id) => [id, 'off'])),
    'input_screen.patterns': Object.fromEntries(
      peer.ruleset(its).asked.map(({ pattern }, index) => [`peer_${index}`, pattern]),
    ),
    'normalization.decode_views': its.get('normalization.decode_views'),
  });
  return { screening: peer, settings: its, ourSettings };
}
