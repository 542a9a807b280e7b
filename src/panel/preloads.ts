import { escapeHtml } from './refusal-page.js';

interface Screen {
  readonly path: RegExp;
  /** Name of its script. */
  readonly script: string;
  /** What it reads first, below the API. Each must be exactly the address that the screen reads. */
  readonly reads?: (id: number) => readonly string[];
}

const ID = '(?<id>[1-9][0-9]{0,14})';

const SCREENS: readonly Screen[] = [
  { path: /^\/?$/, script: 'overview' },
  { path: /^\/audit(?:\/|$)/, script: 'audit' },
  { path: /^\/approvals$/, script: 'approvals' },
  {
    path: new RegExp(`^/approvals/${ID}$`),
    script: 'approval',
    reads: (id) => [`/approvals/${id}`, `/approvals?cursor=${id + 1}&limit=1`],
  },
  { path: /^\/settings$/, script: 'settings', reads: () => ['/settings'] },
  { path: /^\/settings\/history$/, script: 'history' },
  { path: /^\/rules$/, script: 'rules' },
  { path: /^\/firewall$/, script: 'firewall' },
  { path: /^\/output$/, script: 'output' },
  { path: /^\/sandbox$/, script: 'sandbox' },
  { path: /^\/events$/, script: 'events', reads: () => ['/events/sinks'] },
  { path: /^\/review$/, script: 'review' },
  { path: /^\/holds$/, script: 'holds' },
];

/** What every page reads: the calls that wait, and who the caller is. */
const OF_EVERY_PAGE = ['/overview', '/me'];

/**
 * Tags for what a screen needs, so that the browser requests it together with the scripts of the frame. The data is
 * that of `api`; `null` if the page needs a token for it.
 */
export function preloads(
  path: string,
  base: string,
  scripts: Readonly<Record<string, readonly string[]>>,
  api: string | null,
): readonly string[] {
  const screen = SCREENS.find((each) => each.path.test(path));
  const id = Number(screen?.path.exec(path)?.groups?.['id']);
  const reads = api === null ? [] : [...(screen?.reads?.(id) ?? []), ...OF_EVERY_PAGE];
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
