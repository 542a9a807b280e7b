import { parseArgs } from 'node:util';
import { argumentFigures } from './arguments.mjs';
import { outputFigures } from './output.mjs';
import { mixFigures } from './screening-mix.mjs';
import { screeningFigures } from './screening.mjs';
import { settingsFigures } from './settings.mjs';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** A built clone of commit a8a6475, which is measured beside this one. */
    peer: { type: 'string' },
    /** A built clone of commit bbbb067d, which screens the same chat prompts. */
    before: { type: 'string' },
  },
});

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} value
 * @property {Readonly<Record<string, number>>} peers the same figure of well-known alternatives, measured alternately with ours
 * @property {string} goal
 * @property {boolean} met
 */

/** @type {Figure[]} */
const figures = [];
for (const [part, measure] of Object.entries({
  screening: () => screeningFigures(values.before),
  mix: () => mixFigures(values.peer),
  arguments: argumentFigures,
  output: outputFigures,
  settings: settingsFigures,
})) {
  // To stderr, so that stdout contains only the figures.
  console.error(`measuring: ${part}`);
  figures.push(...(await measure()));
}

if (values.json) console.log(JSON.stringify(figures));
else print();

function print() {
  console.log('On a busy machine the ratios are reliable, the times are not.\n');
  for (const { name, value, peers, goal, met } of figures) {
    const beside = Object.entries(peers).map(([peer, figure]) => `${peer} ${shown(figure)}`);
    const columns = [
      name.padEnd(56),
      shown(value).padStart(11),
      ` goal ${goal}`.padEnd(20),
      met ? 'met    ' : 'NOT MET',
    ];
    console.log([...columns, ...beside].join('  '));
  }
}

function shown(/** @type {number} */ figure) {
  if (figure >= 100) return Math.round(figure).toLocaleString('en');
  return figure.toFixed(figure < 0.1 ? 4 : 2);
}
