import { ask, findingsIn, followUp, me } from './api.js';
import { showApprovals } from './approvals.js';
import { showControls } from './controls.js';
import { element, notice } from './dom.js';
import { lanes } from './lanes.js';

const LOOK_AGAIN_MS = 2_000;

const turns = document.getElementById('turns');
const form = document.getElementById('question');
const input = document.getElementById('text');

/** Pending calls of this conversation. */
const waiting = new Set();

async function send(text) {
  document.getElementById('start').hidden = true;
  const entry = element('li', 'turn', element('div', 'bubble asked', text));
  const bubble = element('div', 'bubble answered quiet', '…');
  entry.append(bubble);
  turns.append(entry);
  setBusy(true);
  comeIntoView(entry);
  try {
    const answered = await ask(text, (part) => {
      if (bubble.classList.contains('quiet')) bubble.replaceChildren();
      bubble.classList.remove('quiet');
      bubble.append(part);
      comeIntoView(entry);
    });
    await show(entry, answered, bubble);
  } catch (error) {
    bubble.remove();
    entry.append(element('p', 'notice', error.message));
  }
  setBusy(false);
  comeIntoView(entry);
  await look(showApprovals);
}

/** `bubble` shows the answer already, unless it was refused. */
async function show(entry, answered, bubble) {
  const { turn, steps } = answered;
  for (const { waiting: call } of turn.tools) if (call) waiting.add(call.approvalId);
  const isSanitized = steps.some(({ event }) => event === 'guardrails.output.sanitized');
  const findings = isSanitized ? await findingsIn(turn.draft) : [];
  bubble.className = `bubble answered ${turn.draft === null ? 'refused' : ''}`;
  if (bubble.textContent !== turn.answer) bubble.textContent = turn.answer;
  entry.append(lanes(answered, findings), draftOf(turn));
}

/** Shows the draft of the model if the output handler changed it. */
function draftOf({ draft, answer }) {
  if (draft === null || draft === answer) return '';
  return element(
    'details',
    '',
    element('summary', '', 'Draft of the model, before the output handler'),
    element('pre', '', draft),
  );
}

/** Continues the conversation after decisions. */
async function lookAgain() {
  for (const approvalId of waiting) {
    const found = await followUp(approvalId);
    if (found.turn === null) continue;
    waiting.delete(approvalId);
    const by = found.decidedBy === null ? '' : `, decided by ${found.decidedBy}`;
    const bubble = element('div', 'bubble answered', found.turn.answer);
    const status = element('p', 'quiet small', `Request ${approvalId}: ${found.status}${by}`);
    const entry = element('li', 'turn', status, bubble);
    turns.append(entry);
    if (found.status === 'executed') await show(entry, found, bubble);
    comeIntoView(entry);
  }
  await showApprovals();
}

async function keepLooking() {
  if (!document.hidden) await look(lookAgain);
  setTimeout(() => void keepLooking(), LOOK_AGAIN_MS);
}

/** If the server does not answer, the next poll tries again. */
async function look(work) {
  try {
    await work();
    notice('connection', '');
  } catch (error) {
    notice('connection', error.message);
  }
}

function comeIntoView(entry) {
  entry.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
}

function setBusy(busy) {
  for (const control of document.querySelectorAll('#question button, #attacks button'))
    control.disabled = busy;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(input.value);
  input.value = '';
});

document.getElementById('attacks').addEventListener('click', ({ target }) => {
  const text = target.closest('button')?.dataset.text;
  if (text) void send(text);
});

/** Disables what a viewer may not do, with the reason. */
async function showRights() {
  const { actor, permissions } = await me();
  if (permissions['guardrails.api.settings.update'] !== false) return;
  document.getElementById('rights').textContent =
    `You are ${actor} and may only read. Log in as an operator to write, decide and change modes.`;
  document.getElementById('rights').hidden = false;
  document.body.classList.add('reader');
  for (const part of document.querySelectorAll('[data-writes]')) part.inert = true;
}

await look(showRights);
await showControls();
await keepLooking();
