import { decide, pendingApprovals } from './api.js';
import { button, element, notice } from './dom.js';
import { visible, visibleJson } from './visible-json.js';

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
    const row = rows.get(approval.approval_id);
    row.querySelector('.age').textContent = approval.requested_ago;
    row.querySelector('.votes').textContent = votesOf(approval);
    for (const control of row.querySelectorAll('[data-verdict="approve"]'))
      control.disabled = !approval.can_decide;
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

/** Why the caller cannot approve a call, by `cannot_decide_reason`. */
const OBSTACLES = {
  already_voted: 'You approved it.',
  self_approval: 'Requesters cannot approve their own calls.',
  forbidden: 'Another group decides.',
  hitl_unavailable: 'Approvals are off.',
};

/** For example "1 of 2 approvals: ops-1. You approved it." */
function votesOf({ policy, decisions, can_decide, cannot_decide_reason }) {
  const given = decisions.filter(({ counts }) => counts).map(({ decided_by }) => decided_by);
  const who = given.length === 0 ? '' : `: ${given.join(', ')}`;
  const needed =
    policy.needed === 1 ? '1 approval needed' : `${policy.given} of ${policy.needed} approvals${who}`;
  const obstacle = can_decide ? '' : ` ${OBSTACLES[cannot_decide_reason] ?? cannot_decide_reason}`;
  return `${needed}.${obstacle}`;
}

function approvalRow({
  approval_id: id,
  token,
  tool,
  arguments: args,
  risk,
  warnings,
  principal_id,
  policy,
}) {
  const row = element(
    'div',
    'approval',
    element('div', 'name', element('strong', '', tool), element('span', 'age quiet small')),
    element('span', 'quiet small', `Request ${id}, for ${principal_id ?? 'an unknown customer'}`),
    ...risk.map(({ text }) => element('p', 'notice', text)),
    argumentList(args),
    element('span', 'votes quiet small'),
    ...warnings.map((warning) => element('p', 'notice', warning)),
  );
  if (token === null) return row;
  const answers = element('div', 'buttons');
  const reason = policy.reason_required ? reasonField(id) : null;
  if (reason !== null) row.append(reason);
  for (const [label, verdict, look] of [
    ['Approve', 'approve', 'primary'],
    ['Reject', 'reject', ''],
  ]) {
    const answer = button(
      label,
      () => void decideOn(id, token, verdict, answers, reason?.value.trim()),
      look,
    );
    answer.dataset.verdict = verdict;
    answer.setAttribute('aria-label', `${label} request ${id}, ${tool}`);
    answers.append(answer);
  }
  row.append(answers);
  return row;
}

/** Each argument in words. */
function argumentList(args) {
  const list = element('dl', 'small');
  for (const [name, value] of Object.entries(args)) {
    const text = typeof value === 'string' ? visible(value) : visibleJson(value);
    list.append(element('dt', 'quiet', visible(name.replaceAll('_', ' '))), element('dd', '', text));
  }
  return list;
}

function reasonField(id) {
  const field = element('input');
  field.placeholder = 'Reason (required)';
  field.maxLength = 1000;
  field.setAttribute('aria-label', `Reason of the decision about request ${id}`);
  return field;
}

async function decideOn(id, token, verdict, answers, reason) {
  const focused = answers.contains(document.activeElement);
  for (const answer of answers.children) answer.disabled = true;
  try {
    const { status, error } = await decide(token, verdict, reason);
    // A call that needs another approver keeps its row.
    for (const answer of answers.children) answer.disabled = false;
    const outcome = status === 'pending' ? 'approved, waits for another approver' : status;
    if (error === null) notice('approvals-notice', `Request ${id}: ${outcome}.`, 'good');
    else notice('approvals-notice', `Request ${id}: ${status}. ${error.message}`);
    await showApprovals();
    // Focuses the result, not the next row, so that pressing the same key again does not approve another call.
    if (focused) document.getElementById('approvals-notice').focus();
  } catch (error) {
    for (const answer of answers.children) answer.disabled = false;
    notice('approvals-notice', `Request ${id}: ${error.message}`);
  }
}
