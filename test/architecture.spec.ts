import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Each floor, and the floors below it that it may see. Arrows go down only. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  'libs/contracts': [],
  'libs/engine': ['libs/contracts'],
  'libs/stores/memory': ['libs/contracts'],
  'libs/stores/typeorm': ['libs/contracts'],
  'libs/stores/contract': ['libs/contracts'],
  'libs/sinks': ['libs/contracts'],
  src: ['libs/contracts', 'libs/engine', 'libs/stores/memory'],
  'apps/demo': ['libs/contracts', 'libs/engine', 'libs/stores/typeorm', 'src'],
  'apps/cli': ['libs/contracts', 'libs/engine', 'libs/stores/typeorm'],
};

/** What a floor may import from outside the house. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  'libs/contracts': /^$/,
  'libs/engine': /^(node:(crypto|util|timers\/promises)|re2js|@eslint-community\/regexpp|ajv(\/.*)?|parse5)$/,
  'libs/stores/memory': /^$/,
  'libs/stores/typeorm': /^(node:.*|typeorm|pg)$/,
  'libs/stores/contract': /^node:assert\/strict$/,
  'libs/sinks': /^node:(crypto|dns|http|https|net|os|tls)$/,
  src: /^(node:.*|@nestjs\/(common|core|platform-express|event-emitter)(\/.*)?|class-validator|class-transformer|reflect-metadata|rxjs|express)$/,
  'apps/demo':
    /^(node:.*|@nestjs\/(common|core|platform-express|event-emitter)|@electric-sql\/pglite|express|reflect-metadata)$/,
  'apps/cli': /^node:.*$/,
};

/** Rooms of the engine that meet in `create-engine.ts` alone, by contract. */
const ROOMS = [
  'firewall',
  'screening',
  'output',
  'approvals',
  'audit',
  'settings',
  'overview',
  'events',
  'retention',
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = Object.keys(FLOORS)
  .flatMap((floor) => sources(join(ROOT, floor)))
  .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }));

const imports = files.flatMap(({ path, text }) =>
  [
    ...text.matchAll(
      /^(?:import|export)\b[^'";]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map((match): Import => {
    const to = match[1] ?? match[2] ?? match[3] ?? '';
    return { from: path, to: to.startsWith('.') ? join(dirname(path), to).replace(/\.js$/, '.ts') : to };
  }),
);

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join(folder, name));
}

function floorOf(path: string): string {
  return Object.keys(FLOORS).find((floor) => path.startsWith(`${floor}/`)) ?? '';
}

function roomOf(path: string): string | undefined {
  const [, room] = /^libs\/engine\/src\/([^/]+)\//.exec(path) ?? [];
  return room !== undefined && ROOMS.includes(room) ? room : undefined;
}

const inside = ({ to }: Import): boolean => floorOf(to) !== '';
const told = ({ from, to }: Import): string => `${from} → ${to}`;

describe('the walls of the house', () => {
  it('were read: every floor has files and imports', () => {
    for (const floor of Object.keys(FLOORS))
      expect(files.some(({ path }) => floorOf(path) === floor)).toBe(true);
    expect(imports.length).toBeGreaterThan(files.length);
  });

  it('let arrows go down only', () => {
    const upward = imports.filter((arrow) => {
      const [from, to] = [floorOf(arrow.from), floorOf(arrow.to)];
      return inside(arrow) && from !== to && !FLOORS[from]?.includes(to);
    });
    expect(upward.map(told)).toEqual([]);
  });

  it('let each floor use its own few packages only', () => {
    const strangers = imports.filter(
      (arrow) => !inside(arrow) && !PACKAGES[floorOf(arrow.from)]?.test(arrow.to),
    );
    expect(strangers.map(told)).toEqual([]);
  });

  it('keep the rooms of the engine apart', () => {
    const doors = imports.filter((arrow) => {
      const [from, to] = [roomOf(arrow.from), roomOf(arrow.to)];
      return from !== undefined && to !== undefined && from !== to;
    });
    expect(doors.map(told)).toEqual([]);
  });

  it('have no circle', () => {
    const arrows = new Map<string, string[]>();
    for (const { from, to } of imports.filter(inside)) arrows.set(from, [...(arrows.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      if (done.has(file) || trail.includes(file)) return;
      for (const next of arrows.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of arrows.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('have no barrel inside: nobody imports a front door of a floor from within the house', () => {
    const barrels = imports.filter(
      (arrow) => inside(arrow) && arrow.to.endsWith('/index.ts') && floorOf(arrow.from) === floorOf(arrow.to),
    );
    expect(barrels.map(told)).toEqual([]);
  });

  it('let an app come in by the front doors only', () => {
    const windows = imports.filter(
      (arrow) =>
        arrow.from.startsWith('apps/') &&
        inside(arrow) &&
        !arrow.to.startsWith('apps/') &&
        !arrow.to.endsWith('/index.ts'),
    );
    expect(windows.map(told)).toEqual([]);
  });

  it('have one place that reads the environment, and one in each app', () => {
    const code = (text: string): string => text.replaceAll(/'[^'\n]*'|\/\*.*?\*\//gs, '');
    const readers = files.filter(({ text }) => /\bprocess\.env\b/.test(code(text))).map(({ path }) => path);
    expect(readers).toEqual([
      'src/configuration.ts',
      'apps/demo/src/environment.ts',
      'apps/cli/src/environment.ts',
    ]);
  });

  it('leave the engine no clock but the injected one', () => {
    const clocks = files
      .filter(({ path }) => path.startsWith('libs/engine/'))
      .filter(({ text }) => /\bDate\.now\(|\bnew Date\(\)/.test(text))
      .map(({ path }) => path);
    expect(clocks).toEqual([]);
  });
});
