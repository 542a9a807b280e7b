import { decide, pendingApprovals } from './api.js';
import { button, element, notice } from './dom.js';

/** What stands there now: a row that changes under the pointer, or takes the focus away, helps nobody. */
let shown = '';

/** Every call that waits, exactly as it would run, with the two answers an operator can give. */
export async function showApprovals() {
  try {
    const pending = await pendingApprovals();
    const read = JSON.stringify(
      pending.map(({ approval_id, requested_ago }) => [approval_id, requested_ago]),
    );
    if (read === shown) return;
    shown = read;
    const rows =
      pending.length > 0 ? pending.map(approvalRow) : [element('p', 'quiet small', 'Nothing waits.')];
    document.getElementById('approvals').replaceChildren(...rows);
  } catch (error) {
    notice('approvals-notice', error.message);
  }
}

function approvalRow({ token, tool, arguments: args, warnings, principal_id, requested_ago }) {
  const answer = (verdict) => () => void decideOn(token, verdict);
  return element(
    'div',
    'approval',
    element('div', 'name', element('strong', '', tool), element('span', 'quiet small', requested_ago)),
    element('span', 'quiet small', `for ${principal_id ?? 'nobody'}`),
    element('pre', '', JSON.stringify(args, null, 2)),
    ...warnings.map((warning) => element('p', 'notice', warning)),
    token === null
      ? null
      : element(
          'div',
          'buttons',
          button('Approve', answer('approve'), 'primary'),
          button('Reject', answer('reject')),
        ),
  );
}

async function decideOn(token, verdict) {
  try {
    const { error } = await decide(token, verdict);
    notice('approvals-notice', error === null ? '' : error.message);
  } catch (error) {
    notice('approvals-notice', error.message);
  }
  await showApprovals();
}
