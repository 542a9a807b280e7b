import { decide, pendingApprovals } from './api.js';
import { button, element, notice } from './dom.js';
import { visibleJson } from './visible-json.js';

/**
 * The row of each call that waits. A row stays the same element for as long as it waits: one that is made anew under
 * the pointer, or takes the focus away, helps nobody.
 */
const rows = new Map();

/** Rows that have just moved are not to be clicked: the click was meant for what stood there before. */
const SETTLE_MS = 600;

/** Every call that waits, exactly as it would run, with the two answers an operator can give. */
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
    element('span', 'quiet small', `Request ${id}, for ${principal_id ?? 'nobody'}`),
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
    // To what became of it, and never to the next call that could be approved by pressing the same key again.
    if (focused) document.getElementById('approvals-notice').focus();
  } catch (error) {
    notice('approvals-notice', `Request ${id}: ${error.message}`);
    for (const answer of answers.children) answer.disabled = false;
  }
}
