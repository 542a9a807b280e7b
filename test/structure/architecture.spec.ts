import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { EVENTS } from '#contracts/events/events.js';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Each layer, and the lower layers that it may import. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'libs/contracts': [],
  'libs/bodies': ['libs/contracts'],
  'libs/engine': ['libs/contracts'],
  'libs/stores/memory': ['libs/contracts', 'libs/engine'],
  'libs/stores/typeorm': ['libs/contracts', 'libs/engine'],
  'libs/stores/contract': ['libs/contracts'],
  'libs/sinks': ['libs/contracts'],
  'libs/client': ['libs/contracts', 'libs/bodies'],
  'libs/slack': ['libs/contracts', 'libs/engine'],
  'libs/adapters/shared': ['libs/contracts', 'libs/engine'],
  'libs/adapters/ai-sdk': ['libs/contracts', 'libs/engine', 'libs/adapters/shared'],
  'libs/adapters/langchain': ['libs/contracts', 'libs/engine', 'libs/adapters/shared'],
  'libs/adapters/mcp': ['libs/contracts', 'libs/engine', 'libs/adapters/shared'],
  'libs/adapters/opentelemetry': ['libs/contracts', 'libs/engine'],
  'libs/adapters/openai-agents': ['libs/contracts', 'libs/engine', 'libs/adapters/shared'],
  'libs/standalone': ['libs/contracts', 'libs/engine', 'libs/stores/memory'],
  src: ['libs/contracts', 'libs/bodies', 'libs/engine', 'libs/standalone', 'libs/stores/memory'],
  'apps/demo': ['libs/contracts', 'libs/engine', 'libs/sinks', 'libs/stores/typeorm', 'src'],
  'apps/cli': ['libs/contracts', 'libs/client', 'libs/engine', 'libs/standalone', 'libs/stores/typeorm'],
  'apps/panel/src': ['libs/client', 'libs/contracts'],
};

/** The external packages that a layer may import. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  'libs/contracts': /^$/,
  'libs/bodies': /^class-(validator|transformer)$/,
  'libs/engine':
    /^(node:(crypto|util|timers\/promises|vm|zlib)|re2js|@eslint-community\/regexpp|ajv(\/.*)?|parse5)$/,
  'libs/stores/memory': /^node:crypto$/,
  'libs/stores/typeorm': /^(node:.*|typeorm|pg)$/,
  'libs/stores/contract': /^node:(assert\/strict|crypto)$/,
  'libs/sinks': /^node:(crypto|dns|http|https|net|os|tls)$/,
  'libs/client': /^$/,
  'libs/slack': /^node:crypto$/,
  'libs/standalone': /^node:fs$/,
  src: /^(node:.*|@nestjs\/(common|config|core|platform-express|event-emitter|websockets|microservices)(\/.*)?|class-validator|class-transformer|reflect-metadata|rxjs|express)$/,
  'libs/adapters/shared': /^node:async_hooks$/,
  'libs/adapters/ai-sdk': /^ai$/,
  'libs/adapters/langchain': /^(langchain|@langchain\/(core|langgraph)(\/.*)?)$/,
  'libs/adapters/mcp': /^@modelcontextprotocol\/sdk\/.*$/,
  'libs/adapters/opentelemetry': /^@opentelemetry\/api$/,
  'libs/adapters/openai-agents': /^@openai\/agents-core$/,
  'apps/demo':
    /^(node:.*|@nestjs\/(common|core|platform-express|event-emitter)|@electric-sql\/pglite|express|reflect-metadata)$/,
  'apps/cli': /^(node:.*|hyparquet-writer)$/,
  'apps/panel/src': /^(preact|preact-iso|@preact\/signals)(\/.*)?$/,
};

/** Domains of the engine. They depend on contracts, and only `create-engine.ts` combines them. */
const DOMAINS = [
  'controls/firewall',
  'controls/screening',
  'controls/output',
  'controls/approvals',
  'record',
  'settings',
  'events',
  'policies',
];

/** The package subpaths, such as `#contracts/*`. */
const { imports: SUBPATHS } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly imports: Readonly<Record<string, { readonly types: string }>>;
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = Object.keys(LAYERS)
  .flatMap((layer) => sources(join(ROOT, layer)))
  // A text of several lines, such as a file that a command writes, is no code of this repository.
  .map((path) => ({
    path: relative(ROOT, path),
    text: readFileSync(path, 'utf8').replaceAll(/^const \w+ = `[^`$]*`;/gm, ''),
  }));

const imports = files.flatMap(({ path, text }) =>
  [
    ...text.matchAll(
      /^(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map((match): Import => {
    const to = match[1] ?? match[2] ?? match[3] ?? '';
    return { from: path, to: sourceOf(to, path) };
  }),
);

/** The source file of an internal import. External specifiers are returned unchanged. */
function sourceOf(specifier: string, importer: string): string {
  if (specifier.startsWith('.')) return typescriptOf(join(dirname(importer), specifier));
  const pattern = Object.keys(SUBPATHS).find((key) => specifier.startsWith(key.slice(0, -1)));
  if (pattern === undefined) return specifier;
  const { types = '' } = SUBPATHS[pattern] ?? {};
  return typescriptOf(join(types.replace('*', specifier.slice(pattern.length - 1))));
}

function typescriptOf(path: string): string {
  const [ts, tsx] = ['.ts', '.tsx'].map((extension) => path.replace(/\.js$/, extension)) as [string, string];
  return existsSync(join(ROOT, tsx)) ? tsx : ts;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.spec.ts'))
    .map((name) => join(folder, name));
}

function layerOf(path: string): string {
  return Object.keys(LAYERS).find((layer) => path.startsWith(`${layer}/`)) ?? '';
}

function domainOf(path: string): string | undefined {
  return DOMAINS.find((domain) => path.startsWith(`libs/engine/src/${domain}/`));
}

const isInternal = ({ to }: Import): boolean => layerOf(to) !== '';
const display = ({ from, to }: Import): string => `${from} → ${to}`;

/** Each circle of arrows, as the way around it. */
function circlesOf(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const arrows = new Map<string, string[]>();
  for (const [from, to] of pairs) arrows.set(from, [...(arrows.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) circles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
    if (done.has(node) || trail.includes(node)) return;
    for (const next of arrows.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of arrows.keys()) visit(node, []);
  return circles;
}

describe('the architecture', () => {
  it('has files and imports in every layer', () => {
    for (const layer of Object.keys(LAYERS))
      expect(files.some(({ path }) => layerOf(path) === layer)).toBe(true);
    expect(imports.length).toBeGreaterThan(files.length);
  });

  it('has every spec below test/ in a folder of its subject, as no project of Jest runs a loose one', () => {
    const loose = readdirSync(join(ROOT, 'test')).filter((name) => name.endsWith('.ts'));
    expect(loose).toEqual([]);
  });

  it('imports lower layers only', () => {
    const upward = imports.filter((each) => {
      const [from, to] = [layerOf(each.from), layerOf(each.to)];
      return isInternal(each) && from !== to && !LAYERS[from]?.includes(to);
    });
    expect(upward.map(display)).toEqual([]);
  });

  it('imports only the life cycle of approvals from the engine in stores', () => {
    const others = imports.filter(
      ({ from, to }) =>
        from.startsWith('libs/stores/') &&
        to.startsWith('libs/engine/') &&
        !to.endsWith('/approvals/life-cycle.ts'),
    );
    expect(others.map(display)).toEqual([]);
  });

  it('imports only the listed packages in each layer', () => {
    const strangers = imports.filter(
      (each) => !isInternal(each) && !PACKAGES[layerOf(each.from)]?.test(each.to),
    );
    expect(strangers.map(display)).toEqual([]);
  });

  it('takes only types of bodies into the client, because a browser has no class-validator', () => {
    const taken = files
      .filter(({ path }) => path.startsWith('libs/client/'))
      .flatMap(({ text }) => text.match(/^(?:import|export)\b[^;]*'#bodies\/[^;]*;/gm) ?? []);
    expect(taken.length).toBeGreaterThan(0);
    for (const line of taken) expect(line).toMatch(/^(?:import|export) type /);
  });

  it('does not import one engine domain from another', () => {
    const doors = imports.filter((each) => {
      const [from, to] = [domainOf(each.from), domainOf(each.to)];
      return from !== undefined && to !== undefined && from !== to;
    });
    expect(doors.map(display)).toEqual([]);
  });

  it('has no circles of files', () => {
    expect(circlesOf(imports.filter(isInternal).map(({ from, to }) => [from, to]))).toEqual([]);
  });

  it('has no circles of folders', () => {
    const folders = imports
      .filter(isInternal)
      .map(({ from, to }): [string, string] => [dirname(from), dirname(to)])
      .filter(([from, to]) => from !== to);
    expect(circlesOf(folders)).toEqual([]);
  });

  it('does not import the index file of a layer inside that layer', () => {
    const barrels = imports.filter(
      (each) => isInternal(each) && each.to.endsWith('/index.ts') && layerOf(each.from) === layerOf(each.to),
    );
    expect(barrels.map(display)).toEqual([]);
  });

  it('lists every exported name in the index files, and exports the class of every event', () => {
    const entries = files.filter(({ path }) => path.endsWith('/index.ts'));
    expect(entries.filter(({ text }) => text.includes('export *')).map(({ path }) => path)).toEqual([]);
    const eventClasses = EVENTS.map(({ name }) => name);
    const exported = entries.find(({ path }) => path === 'src/index.ts')?.text.match(/\w+/g) ?? [];
    expect(exported).toEqual(expect.arrayContaining(eventClasses));
  });

  it('publishes no types of the transparency log in contracts, as it is an optional part', () => {
    const index = imports.filter(({ from }) => from === 'libs/contracts/src/index.ts');
    expect(index.length).toBeGreaterThan(10);
    expect(index.filter(({ to }) => /\/log\/|checkpoints/.test(to)).map(display)).toEqual([]);
  });

  it('imports layers only through their index files in apps, except contracts, of which few are published', () => {
    const windows = imports.filter(
      (each) =>
        each.from.startsWith('apps/') &&
        isInternal(each) &&
        !each.to.startsWith('apps/') &&
        !each.to.startsWith('libs/contracts/') &&
        !each.to.endsWith('/index.ts'),
    );
    expect(windows.map(display)).toEqual([]);
  });

  it('reads the environment in one file of each entry and one file of each app', () => {
    const code = (text: string): string => text.replaceAll(/'[^'\n]*'|\/\*.*?\*\//gs, '');
    const readers = files.filter(({ text }) => /\bprocess\.env\b/.test(code(text))).map(({ path }) => path);
    expect(readers).toEqual([
      'libs/standalone/src/start-engine.ts',
      'src/options/configuration.ts',
      'apps/demo/src/storage/environment.ts',
      'apps/cli/src/main.ts',
    ]);
  });

  it('reads the time in the engine through the injected clock only', () => {
    const clocks = files
      .filter(({ path }) => path.startsWith('libs/engine/'))
      .filter(({ text }) => /\bDate\.now\(|\bnew Date\(\)/.test(text))
      .map(({ path }) => path);
    expect(clocks).toEqual([]);
  });
});
