import { gzipSync } from 'node:zlib';
import type { Plugin, Rollup } from 'vite';

/** Limits in bytes, gzipped. A larger build fails. */
const BUDGETS = {
  'JavaScript of the first load': 45_000,
  'style sheets': 12_000,
  'JavaScript of one more screen': 20_000,
  'JavaScript of all screens': 110_000,
};

/** Prints the sizes, and fails the build if one is over its budget. */
export const budgets: Plugin = {
  name: 'budgets',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.values(bundle);
      const chunks = files.filter((file) => file.type === 'chunk');
      const sizes = new Map(files.map((file) => [file.fileName, gzippedSize(file)]));
      const total = (names: Iterable<string>): number =>
        [...names].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
      const entry = chunks.find(({ isEntry }) => isEntry);
      const overview = chunks.find(({ name }) => name === 'overview');
      if (entry === undefined || overview === undefined)
        throw new Error('The entry or the overview is missing.');
      const needed = (start: Rollup.OutputChunk): Set<string> => withImports(start, bundle);
      const firstLoad = new Set([...needed(entry), ...needed(overview)]);
      const screens = chunks.filter(({ isDynamicEntry }) => isDynamicEntry);
      const found: Record<keyof typeof BUDGETS, number> = {
        'JavaScript of the first load': total(firstLoad),
        'style sheets': total([...sizes.keys()].filter((name) => name.endsWith('.css'))),
        'JavaScript of one more screen': Math.max(
          ...screens.map((screen) => total([...needed(screen)].filter((name) => !firstLoad.has(name)))),
        ),
        'JavaScript of all screens': total(chunks.map(({ fileName }) => fileName)),
      };
      for (const [what, limit] of Object.entries(BUDGETS)) {
        const size = found[what as keyof typeof BUDGETS];
        if (size > limit) this.error(`${what}: ${size} bytes gzipped, ${limit} are allowed`);
        this.info(`${what}: ${(size / 1000).toFixed(1)} of ${limit / 1000} kB gzipped`);
      }
    },
  },
};

function gzippedSize(file: Rollup.OutputAsset | Rollup.OutputChunk): number {
  return gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length;
}

/** The names of a chunk and of what it imports statically, directly or not. */
export function withImports(
  chunk: Rollup.OutputChunk,
  bundle: Rollup.OutputBundle,
  names = new Set<string>(),
): Set<string> {
  if (names.has(chunk.fileName)) return names;
  names.add(chunk.fileName);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === 'chunk') withImports(imported, bundle, names);
  }
  return names;
}
