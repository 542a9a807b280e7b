import { useAddress } from '../../data/address.js';
import { keep } from '../../data/storage.js';
import { useMay } from '../../data/me.js';
import { API_URL, href } from '../../data/page.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { CopyButton } from '../../ui/buttons.js';
import { ErrorBox } from '../../ui/states.js';
import { change } from '../settings/draft.js';
import { loadedFrom } from '../settings/settings-data.js';
import type { Entry } from './entry.js';

const DAY_MS = 86_400_000;
const EXCEPTION_DAYS = 30;

/** What can be done with an entry. Nothing here changes it. */
export function EntryActions({ entry }: { readonly entry: Entry }) {
  const address = new URL(`${API_URL}/audit/${entry.id}`, location.origin).href;
  const isText = entry.control === 'input_screen' || entry.control === 'output_handler';
  const isStored = entry.prompt_storage !== 'erased' && entry.prompt_storage !== 'hash';
  return (
    <div class="row actions">
      {isText && isStored && <TryAgain entry={entry} />}
      {entry.control === 'input_screen' && entry.rule_id !== null && (
        <>
          <a class="button" href={href('/rules', { rule: entry.rule_id })}>
            Open the rule
          </a>
          <Except id={entry.id} />
        </>
      )}
      <CopyButton text={JSON.stringify(entry, null, 2)} label="Copy as JSON" />
      <CopyButton text={`curl -H "Authorization: Bearer $TOKEN" '${address}'`} label="Copy as curl" />
    </div>
  );
}

/** The text goes to the sandbox in the storage of this tab, so that it is in no address. */
function TryAgain({ entry }: { readonly entry: Entry }) {
  const { open } = useAddress();
  const start = (): void => {
    keep('session', 'guardrails-sandbox-text', entry.prompt);
    open('/sandbox', entry.control === 'output_handler' ? { tab: 'output' } : {});
  };
  return (
    <button type="button" onClick={start}>
      Open in the sandbox
    </button>
  );
}

/** Puts the narrowest exceptions for the matches of this entry into the draft of the settings. */
function Except({ id }: { readonly id: number }) {
  const may = useMay('settings.update');
  const { open } = useAddress();
  const { error, write } = useWrite();
  const propose = (): Promise<void> =>
    write(async () => {
      const [{ data }, settings] = await Promise.all([
        client.call('audit.exception', { params: { id } }),
        client.call('settings.show'),
      ]);
      const loaded = loadedFrom(settings.data, settings.etag);
      const present = loaded.values['input_screen.exceptions'];
      const ends = new Date(Date.now() + EXCEPTION_DAYS * DAY_MS).toISOString();
      const added = data.proposals.map(({ exception }) => ({
        ...exception,
        reason: `False alarm, entry ${id}`,
        ends_at: ends,
      }));
      change(loaded, 'input_screen.exceptions', [...(Array.isArray(present) ? present : []), ...added]);
      open('/settings', { key: 'input_screen.exceptions' });
    });
  return (
    <>
      <button
        type="button"
        disabled={!may.isAllowed}
        title={may.reason ?? undefined}
        onClick={() => void propose()}
      >
        Propose an exception
      </button>
      {error !== undefined && <ErrorBox error={error} />}
    </>
  );
}
