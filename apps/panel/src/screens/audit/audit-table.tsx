import type { AuditListItem } from '#client/index.js';
import { href } from '../../data/page.js';
import { dateTime } from '../../text/format.js';
import { CONTROL_LABELS } from '../../text/names.js';
import { TextCell } from '../../ui/plain-text.js';
import { WindowedRows } from '../../ui/rows.js';
import { OutcomeStatus } from '../../ui/status.js';
import { exactTime } from '../../ui/time.js';

const ROW_HEIGHT = 40;
const ROW_HEIGHT_ON_PHONES = 76;
const isPhone = matchMedia('(max-width: 39.99rem)');

export function AuditTable({
  entries,
  query,
  onEnd,
}: {
  readonly entries: readonly AuditListItem[];
  readonly query: Readonly<Record<string, string>>;
  readonly onEnd: () => void;
}) {
  return (
    <div class="table-scroll">
      <table class="rows audit-table" aria-rowcount={-1}>
        <thead>
          <tr>
            <th>Time</th>
            <th>Outcome</th>
            <th>Control</th>
            <th>Tool or rule</th>
            <th>Text</th>
            <th>Principal</th>
          </tr>
        </thead>
        <WindowedRows
          items={entries}
          height={isPhone.matches ? ROW_HEIGHT_ON_PHONES : ROW_HEIGHT}
          onEnd={onEnd}
        >
          {(entry, index) => (
            <tr aria-rowindex={index + 2}>
              <td>
                <a
                  data-row
                  href={href(`/audit/${entry.id}`, query)}
                  aria-label={`${dateTime(entry.occurred_at)}, entry ${entry.id}`}
                  title={exactTime(entry.occurred_at)}
                >
                  <time dateTime={entry.occurred_at}>{dateTime(entry.occurred_at)}</time>
                </a>
              </td>
              <td>
                <OutcomeStatus entry={entry} />
              </td>
              <td class="cut">{CONTROL_LABELS[entry.control]}</td>
              <TextCell
                class="cut mono"
                text={[entry.tool, entry.rule_id].filter((name) => name !== null).join(' · ')}
              />
              {entry.prompt_preview === null ? (
                <td class="cut text muted">not stored</td>
              ) : (
                <TextCell class="cut text" text={entry.prompt_preview} />
              )}
              <TextCell class="cut" text={entry.principal_id ?? ''} />
            </tr>
          )}
        </WindowedRows>
      </table>
    </div>
  );
}
