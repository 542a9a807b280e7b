/** Values of settings, and the tabs: what the settings and their history share. */
import { href } from '../../data/page.js';
import { Tabs } from '../../ui/controls.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { entryText } from './sentences.js';
import { differences, GROUPS } from './settings-data.js';

/** `open` is the title of the open sub-page. */
export function SettingsTabs({ open }: { readonly open: string | undefined }) {
  const pages = [...GROUPS, { name: 'history', title: 'History' }];
  return (
    <Tabs
      label="Settings"
      tabs={pages.map(({ name, title }) => [pageOf(name), title, title === open] as const)}
    />
  );
}

/** The address of a sub-page. */
export function pageOf(name: string | undefined): string {
  return href(name === undefined ? '/settings' : `/settings/${name}`);
}

/** One row for each entry that was added, removed or changed. */
export function Differences({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  return (
    <ul class="differences">
      {differences(before, after).map(({ name, before: from, after: to }, index) => (
        <li key={index}>
          {name !== '' && (
            <code>
              <NameText text={name} />
            </code>
          )}
          {from !== undefined && (
            <del>
              <span class="visually-hidden">{to === undefined ? 'Removed' : 'Before'}: </span>
              <PlainText text={entryText(from)} />
            </del>
          )}
          {to !== undefined && (
            <ins>
              <span class="visually-hidden">{from === undefined ? 'Added' : 'After'}: </span>
              <PlainText text={entryText(to)} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  );
}
