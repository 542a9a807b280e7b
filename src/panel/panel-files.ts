import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

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

/** The built panel, relative to the compiled file and to its source. */
const FOLDERS = ['../../apps/panel', '../../dist/apps/panel'];
const ASSETS = 'assets';

/** The built panel, in memory: a few hundred kilobytes, and no path of a request reaches the disk. */
export class PanelFiles {
  private constructor(
    readonly index: string,
    readonly assets: ReadonlyMap<string, Asset>,
    /** The scripts of each screen, besides those of the frame: paths relative to the index. */
    readonly scripts: Readonly<Record<string, readonly string[]>>,
  ) {}

  /** `null` if the panel is not built. */
  static load(): PanelFiles | null {
    // The sources have no folder of assets.
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
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const scripts = JSON.parse(read('preloads.json')) as Readonly<Record<string, readonly string[]>>;
    return new PanelFiles(read('index.html'), new Map(assets), scripts);
  }
}
