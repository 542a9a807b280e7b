import { href } from '../../data/page.js';
import { useKeys } from '../../layout/shortcuts.js';
import { CopyButton } from '../../ui/buttons.js';
import { Dialog } from '../../ui/dialog.js';
import { Icon } from '../../ui/icon.js';
import { Loaded } from '../../ui/states.js';
import { EntryDetail } from './entry-detail.js';
import { useEntry } from './entry.js';

/** One recorded decision. */
export function EntryDrawer({
  id,
  queryOfList,
  onOpen,
  onClose,
}: {
  readonly id: number;
  readonly queryOfList: Readonly<Record<string, string>>;
  readonly onOpen: (id: number) => void;
  readonly onClose: () => void;
}) {
  const resource = useEntry(id);
  const previous = resource.data?.previous_id ?? null;
  const next = resource.data?.next_id ?? null;
  useKeys({
    j: () => previous !== null && onOpen(previous),
    k: () => next !== null && onOpen(next),
  });
  return (
    <Dialog kind="drawer" title={`Entry ${id}`} onClose={onClose}>
      <div class="row">
        <button
          type="button"
          disabled={previous === null}
          onClick={() => previous !== null && onOpen(previous)}
        >
          <Icon name="previous" /> Older
        </button>
        <button type="button" disabled={next === null} onClick={() => next !== null && onOpen(next)}>
          Newer <Icon name="next" />
        </button>
        <CopyButton text={`${location.origin}${href(`/audit/${id}`, queryOfList)}`} label="Copy link" />
      </div>
      <Loaded resource={resource} lines={10}>
        {(entry) => <EntryDetail entry={entry} onReviewed={resource.reload} />}
      </Loaded>
    </Dialog>
  );
}
