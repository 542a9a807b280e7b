// Sanitising throughput, beside sanitize-html on the same text in the same run.
import { parseArgs } from 'node:util';
import sanitizeHtml from 'sanitize-html';
import { DEFAULT_SETTINGS, Settings } from '../../dist/libs/contracts/src/settings/settings.js';
import { Sanitiser } from '../../dist/libs/engine/src/output/sanitiser.js';
import { interleaved } from './measure.mjs';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const PROSE =
  'Your order A-1182 left our warehouse this morning and should reach you within three days. If it does not, write to ' +
  'us and we will look into it at once; nothing is lost as long as you keep the receipt. ' +
  'See [the guide](https://docs.a.example/returns#parcels) for what to do, or ask `support` in the chat.\n\n' +
  '* Unpack it within 2 weeks.\n* Keep the box (it is 40 x 30 cm).\n\n';
const HTML =
  '<div class="card"><h2>Order <b>A-1182</b></h2><p style="color:red">It <em>left</em> today.</p>' +
  '<a href="https://docs.a.example/returns" onclick="go()">more</a><img src="https://a.example/x.png"><br/></div>\n' +
  '<table><tr><td>1</td><td>2 &lt; 3</td></tr></table>\n\n';

const sanitiser = new Sanitiser([]);
const figures = [...(await throughput('prose', PROSE, 8)), ...(await throughput('HTML-heavy text', HTML, 1))];

if (values.json) console.log(JSON.stringify(figures));
else {
  for (const { name, value, peer, goal, met } of figures) {
    console.log(
      `${met ? 'ok  ' : 'MISS'} ${name}: ${value.toFixed(2)} (goal ${goal}) ${JSON.stringify(peer)}`,
    );
  }
}

async function throughput(name, paragraph, goal) {
  const text = paragraph.repeat(Math.ceil(1_000_000 / paragraph.length)).slice(0, 1_000_000);
  const modes = ['escape', 'allowlist'].map(
    (mode) => new Settings({ ...DEFAULT_SETTINGS, 'output_handler.html_mode': mode }),
  );
  const [escaping, keeping, peer] = await interleaved(5, [
    ...modes.map((settings) => () => sanitiser.sanitise(text, settings)),
    () => sanitizeHtml(text),
  ]);
  const megabytes = (milliseconds) => text.length / 1000 / milliseconds;
  return [
    ['escape', escaping],
    ['allowlist', keeping],
  ].map(([mode, time]) => ({
    name: `sanitising ${name}, ${mode}, MB/s`,
    value: megabytes(time),
    peer: { sanitize_html_alone: megabytes(peer) },
    goal: `>= ${goal}`,
    met: megabytes(time) >= goal,
  }));
}
