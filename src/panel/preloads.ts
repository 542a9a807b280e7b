import { escapeHtml } from './refusal-page.js';

interface Screen {
  readonly path: RegExp;
  /** Name of its script. */
  readonly script: string;
  /** What it reads first, below the API. Each must be exactly the address that the screen reads. */
  readonly reads?: (id: number) => readonly string[];
  /** What it reads first where its address has no query. */
  readonly readsUnfiltered?: readonly string[];
}

const ID = '(?<id>[1-9][0-9]{0,14})';

const SCREENS: readonly Screen[] = [
  { path: /^\/?$/, script: 'overview' },
  {
    path: /^\/audit(?:\/|$)/,
    script: 'audit',
    readsUnfiltered: ['/audit?control=all&limit=100'],
  },
  { path: /^\/approvals$/, script: 'approvals', readsUnfiltered: ['/approvals?limit=200'] },
  {
    path: new RegExp(`^/approvals/${ID}$`),
    script: 'approval',
    reads: (id) => [`/approvals/${id}`, `/approvals?cursor=${id + 1}&limit=1`],
  },
  { path: /^\/settings$/, script: 'settings', reads: () => ['/settings'] },
  {
    path: /^\/settings\/history$/,
    script: 'history',
    reads: () => ['/settings'],
    readsUnfiltered: ['/settings/changes?limit=100'],
  },
  { path: /^\/rules$/, script: 'rules', reads: () => ['/rules?fields=summary'] },
  { path: /^\/firewall$/, script: 'firewall', readsUnfiltered: ['/firewall?limit=50', '/firewall/reasons'] },
  { path: /^\/output$/, script: 'output' },
  { path: /^\/sandbox$/, script: 'sandbox' },
  { path: /^\/events$/, script: 'events', reads: () => ['/events/sinks'] },
  {
    path: /^\/review$/,
    script: 'review',
    readsUnfiltered: ['/audit?control=input_screen&review=none&outcome=blocked&limit=20'],
  },
  { path: /^\/holds$/, script: 'holds', readsUnfiltered: ['/holds?limit=50&active=true'] },
];

/** What every page reads: the calls that wait, and who the caller is. */
const OF_EVERY_PAGE = ['/overview', '/me'];

/** The address of a page. */
interface Place {
  /** Below `panel.path`. */
  readonly path: string;
  readonly hasQuery: boolean;
}

/**
 * Tags for what a screen needs, so that the browser requests it together with the scripts of the frame. The data is
 * that of `api`; `null` if the page needs a token for it.
 */
export function preloads(
  { path, hasQuery }: Place,
  base: string,
  scripts: Readonly<Record<string, readonly string[]>>,
  api: string | null,
): readonly string[] {
  const screen = SCREENS.find((each) => each.path.test(path));
  const id = Number(screen?.path.exec(path)?.groups?.['id']);
  const ofScreen = [...(screen?.reads?.(id) ?? []), ...((!hasQuery && screen?.readsUnfiltered) || [])];
  const reads = api === null ? [] : [...ofScreen, ...OF_EVERY_PAGE];
  return [
    ...(scripts[screen?.script ?? ''] ?? []).map(
      (name) => `<link rel="modulepreload" crossorigin href="${escapeHtml(`${base}/${name}`)}">`,
    ),
    ...reads.map(
      (read) =>
        `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(`${api}${read}`)}">`,
    ),
  ];
}
