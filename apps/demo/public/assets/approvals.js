import { decide, pendingApprovals } from './api.js';
import { button, element, notice } from './dom.js';
import { visibleJson } from './visible-json.js';

/** Rows by approval id. A row keeps its element while the call is pending, so that it keeps the focus. */
const rows = new Map();

/** Rows that have just moved ignore clicks, because the click was meant for another row. */
const SETTLE_MS = 600;

/** Shows every pending call with its arguments and the buttons to approve or reject it. */
export async function showApprovals() {
  const pending = await pendingApprovals();
  const list = document.getElementById('approvals');
  const before = [...list.children];
  for (const [id, row] of rows) {
    if (pending.some(({ approval_id }) => approval_id === id)) continue;
    row.remove();
    rows.delete(id);
  }
  for (const approval of pending.toReversed()) {
    if (!rows.has(approval.approval_id)) {
      rows.set(approval.approval_id, approvalRow(approval));
      list.prepend(rows.get(approval.approval_id));
    }
    rows.get(approval.approval_id).querySelector('.age').textContent = approval.requested_ago;
  }
  if (before.some((row, place) => list.children[place] !== row)) settle(list);
  document.getElementById('nothing-waits').hidden = pending.length > 0;
  const jump = document.getElementById('jump');
  jump.textContent = `Waiting for a human: ${pending.length}`;
  jump.hidden = pending.length === 0;
}

function settle(list) {
  list.classList.add('settling');
  setTimeout(() => list.classList.remove('settling'), SETTLE_MS);
}

function approvalRow({ approval_id: id, token, tool, arguments: args, warnings, principal_id }) {
  const row = element(
    'div',
    'approval',
    element('div', 'name', element('strong', '', tool), element('span', 'age quiet small')),
    element('span', 'quiet small', `Request ${id}, for ${principal_id ?? 'an unknown customer'}`),
    element('pre', '', visibleJson(args)),
    ...warnings.map((warning) => element('p', 'notice', warning)),
  );
  if (token === null) return row;
  const answers = element('div', 'buttons');
  for (const [label, verdict, look] of [
    ['Approve', 'approve', 'primary'],
    ['Reject', 'reject', ''],
  ]) {
    const answer = button(label, () => void decideOn(id, token, verdict, answers), look);
    answer.setAttribute('aria-label', `${label} request ${id}, ${tool}`);
    answers.append(answer);
  }
  row.append(answers);
  return row;
}

async function decideOn(id, token, verdict, answers) {
  const focused = answers.contains(document.activeElement);
  for (const answer of answers.children) answer.disabled = true;
  try {
    const { status, error } = await decide(token, verdict);
    if (error === null) notice('approvals-notice', `Request ${id}: ${status}.`, 'good');
    else notice('approvals-notice', `Request ${id}: ${status}. ${error.message}`);
    await showApprovals();
    // Focuses the result, not the next row, so that pressing the same key again does not approve another call.
    if (focused) document.getElementById('approvals-notice').focus();
  } catch (error) {
    notice('approvals-notice', `Request ${id}: ${error.message}`);
    for (const answer of answers.children) answer.disabled = false;
  }
}
