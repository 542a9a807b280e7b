import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { escapeHtml } from './refusal-page.js';

/** A file that the index refers to. Its name contains a hash of its content. */
export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The built panel, relative to the published file, to the compiled file and to its source. */
const FOLDERS = ['apps/panel', '../../apps/panel', '../../dist/apps/panel'];
const ASSETS = 'assets';

interface Screen {
  readonly path: RegExp;
  /** Name of its script. */
  readonly script: string;
  /** The first requests of the screen, below the API. The browser uses a preload only for exactly the same address. */
  readonly reads?: (id: number) => readonly string[];
  /** The same where its address has no query. */
  readonly readsUnfiltered?: readonly string[];
}

const ID = '(?<id>[1-9][0-9]{0,14})';

const SCREENS: readonly Screen[] = [
  { path: /^\/?$/, script: 'overview' },
  { path: /^\/audit(?:\/|$)/, script: 'audit' },
  { path: /^\/approvals$/, script: 'approvals', readsUnfiltered: ['/approvals?sort=risk&limit=200'] },
  {
    path: new RegExp(`^/approvals/${ID}$`),
    script: 'approval',
    reads: (id) => [`/approvals/${id}`, `/approvals?cursor=${id + 1}&limit=1`],
  },
  {
    path: /^\/settings\/history$/,
    script: 'history',
    reads: () => ['/settings'],
    readsUnfiltered: ['/settings/changes?limit=100'],
  },
  { path: /^\/settings(?:\/|$)/, script: 'settings', reads: () => ['/settings'] },
  { path: /^\/rules$/, script: 'rules', reads: () => ['/rules?fields=summary&limit=200'] },
  { path: /^\/firewall$/, script: 'firewall' },
  { path: /^\/output$/, script: 'output' },
  { path: /^\/sandbox$/, script: 'sandbox' },
  { path: /^\/events$/, script: 'events', reads: () => ['/events/sinks'] },
  {
    path: /^\/review$/,
    script: 'review',
    readsUnfiltered: ['/audit?control=input_screen&review=none&outcome=blocked&limit=100'],
  },
  { path: /^\/holds$/, script: 'holds', readsUnfiltered: ['/holds?limit=50&active=true'] },
];

/** Every page shows the number of pending calls and the caller. */
const READ_BY_EVERY_PAGE = ['/overview', '/me'];

/** The address of a page. */
export interface Place {
  /** Below `panel.path`. */
  readonly path: string;
  readonly hasQuery: boolean;
}

/** The built panel, in memory: a few hundred kilobytes, and no path of a request reaches the disk. */
export class PanelFiles {
  private constructor(
    readonly index: string,
    readonly assets: ReadonlyMap<string, Asset>,
    /** The scripts of each screen, besides those of the frame: paths relative to the index. */
    private readonly scripts: Readonly<Record<string, readonly string[]>>,
  ) {}

  /** `null` if the panel is not built. */
  static load(): PanelFiles | null {
    // The folder with the sources of the panel has the same name, and no assets.
    const folder = FOLDERS.map((path) => join(import.meta.dirname, path)).find((path) =>
      existsSync(join(path, ASSETS)),
    );
    if (folder === undefined || !existsSync(join(folder, 'preloads.json'))) return null;
    const content = new Map(
      readdirSync(join(folder, ASSETS)).map((name) => [name, readFileSync(join(folder, ASSETS, name))]),
    );
    const assets = [...content].flatMap(([name, plain]): [string, Asset][] => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      return [[name, { type, plain, br: content.get(`${name}.br`), gzip: content.get(`${name}.gz`) }]];
    });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const scripts = JSON.parse(read('preloads.json')) as Readonly<Record<string, readonly string[]>>;
    return new PanelFiles(read('index.html'), new Map(assets), scripts);
  }

  /**
   * Tags for the scripts and the data that a screen needs, so that the browser requests them together with the scripts of
   * the frame. `api` is the path of the API; `null` if the page needs a token for the data.
   */
  preloads({ path, hasQuery }: Place, base: string, api: string | null): readonly string[] {
    const screen = SCREENS.find((each) => each.path.test(path));
    const id = Number(screen?.path.exec(path)?.groups?.['id']);
    const ofScreen = [...(screen?.reads?.(id) ?? []), ...((!hasQuery && screen?.readsUnfiltered) || [])];
    const reads = api === null ? [] : [...ofScreen, ...READ_BY_EVERY_PAGE];
    return [
      ...(this.scripts[screen?.script ?? ''] ?? []).map(
        (name) => `<link rel="modulepreload" crossorigin href="${escapeHtml(`${base}/${name}`)}">`,
      ),
      ...reads.map(
        (read) =>
          `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(`${api}${read}`)}">`,
      ),
    ];
  }
}
