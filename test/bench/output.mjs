import createPurifier from 'dompurify';
import { JSDOM } from 'jsdom';
import sanitizeHtml from 'sanitize-html';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Sanitizer } from '../../dist/libs/engine/src/controls/output/sanitizer.js';
import { OUTPUT_FAMILIES } from '../fuzz/hostile-outputs.mjs';
import { interleaved, ratioOf, timesInTurn } from './measure.mjs';

const MEGABYTE = 1_000_000;
/** DOMPurify is too slow for the whole text. */
const PURIFIED = 100_000;

/** Texts that are built to be expensive are compared with prose of the same length. */
const HOSTILE = 500_000;
const MAX_RATIO_TO_PROSE = 3;
const SHOWN_FAMILIES = 15;
/** Several rounds, because one garbage collection changes a round by half. */
const HOSTILE_ROUNDS = 3;

const PROSE =
  'Your order A-1182 left our warehouse this morning and should reach you within three days. If it does not, write to ' +
  'us and we will look into it at once; nothing is lost as long as you keep the receipt. ' +
  'See [the guide](https://docs.a.example/returns#parcels) for what to do, or ask `support` in the chat.\n\n' +
  '* Unpack it within 2 weeks.\n* Keep the box (it is 40 x 30 cm).\n\n';
const HTML =
  '<div class="card"><h2>Order <b>A-1182</b></h2><p style="color:red">It <em>left</em> today.</p>' +
  '<a href="https://docs.a.example/returns" onclick="go()">more</a><img src="https://a.example/x.png"><br/></div>\n' +
  '<table><tr><td>1</td><td>2 &lt; 3</td></tr></table>\n\n';

const sanitizer = new Sanitizer([]);
const purifier = createPurifier(new JSDOM('').window);

/** All passes (HTML, markdown, secrets, personal data), compared with libraries that sanitize HTML only. */
export async function outputFigures() {
  return [
    ...(await throughput('prose', PROSE, 8)),
    ...(await throughput('HTML-heavy text', HTML, 1)),
    ...(await hostileFigures()),
  ];
}

/** The most expensive families, as multiples of the time for prose. */
async function hostileFigures() {
  const settings = new Settings(DEFAULT_SETTINGS);
  const prose = repeated(PROSE, HOSTILE);
  const figures = [];
  for (const [name, text] of OUTPUT_FAMILIES) {
    const hostile = text(HOSTILE);
    const [times = [], ofProse = []] = await timesInTurn(HOSTILE_ROUNDS, [
      () => sanitizer.sanitize(hostile, settings),
      () => sanitizer.sanitize(prose, settings),
    ]);
    const value = ratioOf(times, ofProse);
    figures.push({
      name: `sanitizing ${name}, times of prose`,
      value,
      peers: { 'prose, ms': Math.min(...ofProse) },
      goal: `<= ${MAX_RATIO_TO_PROSE}`,
      met: value <= MAX_RATIO_TO_PROSE,
    });
  }
  return figures.toSorted((one, other) => other.value - one.value).slice(0, SHOWN_FAMILIES);
}

function repeated(part, length) {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

async function throughput(name, paragraph, goal) {
  const text = repeated(paragraph, MEGABYTE);
  const part = text.slice(0, PURIFIED);
  const forAny = { 'output_handler.rendering': 'any', 'output_handler.html_mode': 'escape' };
  const modes = [forAny, {}].map((values) => new Settings({ ...DEFAULT_SETTINGS, ...values }));
  const [escaping, keeping, alone, purifying] = await interleaved(5, [
    ...modes.map((settings) => () => sanitizer.sanitize(text, settings)),
    () => sanitizeHtml(text),
    () => purifier.sanitize(part),
  ]);
  const peers = {
    'sanitize-html (HTML only)': speed(MEGABYTE, alone),
    'DOMPurify with jsdom (HTML only)': speed(PURIFIED, purifying),
  };
  return [
    ['any', speed(MEGABYTE, escaping)],
    ['default', speed(MEGABYTE, keeping)],
  ].map(([mode, value]) => ({
    name: `sanitizing ${name}, ${mode}, MB/s`,
    value,
    peers,
    goal: `>= ${goal}`,
    met: value >= goal,
  }));
}

/** Megabytes per second. */
function speed(length, milliseconds) {
  return length / 1000 / milliseconds;
}
