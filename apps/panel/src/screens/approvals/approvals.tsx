import { useAddress } from '../../data/address.js';
import { href } from '../../data/page.js';
import { Screen } from '../../ui/screen.js';
import { History } from './history.js';
import { Notifications } from './notifications.js';
import { Queue } from './queue.js';

/** Calls that wait for approval, and those that were decided. */
export default function Approvals() {
  const { query } = useAddress();
  const isHistory = query['tab'] === 'history';
  return (
    <Screen
      title="Approvals"
      lead="Calls of tools that run only after an operator approved them."
      actions={<Notifications />}
    >
      <nav class="tabs" aria-label="Approvals">
        <a href={href('/approvals')} aria-current={isHistory ? undefined : 'page'}>
          Pending
        </a>
        <a href={href('/approvals', { tab: 'history' })} aria-current={isHistory ? 'page' : undefined}>
          History
        </a>
      </nav>
      {isHistory ? <History query={query} /> : <Queue />}
    </Screen>
  );
}
