import createPurifier from 'dompurify';
import { JSDOM } from 'jsdom';
import sanitizeHtml from 'sanitize-html';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Sanitizer } from '../../dist/libs/engine/src/output/sanitizer.js';
import { interleaved } from './measure.mjs';

const MEGABYTE = 1_000_000;
/** DOMPurify is too slow for the whole text. */
const PURIFIED = 100_000;

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
  return [...(await throughput('prose', PROSE, 8)), ...(await throughput('HTML-heavy text', HTML, 1))];
}

async function throughput(name, paragraph, goal) {
  const text = paragraph.repeat(Math.ceil(MEGABYTE / paragraph.length)).slice(0, MEGABYTE);
  const part = text.slice(0, PURIFIED);
  const modes = ['escape', 'allowlist'].map(
    (mode) => new Settings({ ...DEFAULT_SETTINGS, 'output_handler.html_mode': mode }),
  );
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
    ['escape', speed(MEGABYTE, escaping)],
    ['allowlist', speed(MEGABYTE, keeping)],
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
