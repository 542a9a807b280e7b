import { reasonsOf } from '#contracts/common/errors.js';
import { CLASSIFIER_ID } from '#contracts/screening/screening.js';
import type { EngineOptions } from './engine-options.js';
import { ToolRegistry } from '../controls/firewall/tool-registry.js';

/** What each entry must have: a method, and a name, by which decisions are counted and deliveries are stored. */
const LISTS = [
  ['screeners', 'screen', 'id', new RegExp(`^(?!${CLASSIFIER_ID}$)[a-z][a-z0-9_.-]{0,99}$`)],
  ['detectors', 'find', 'name', /^(?=.*\S).{1,100}$/],
  ['sinks', 'deliver', 'name', /^[a-z][a-z0-9_-]{0,39}$/],
] as const;

const KIND = /^(?:pii|secret)_redaction$/;

export type Parts = Partial<Pick<EngineOptions, (typeof LISTS)[number][0] | 'tools' | 'stores'>>;

/** Why the parts that a host passes cannot be used: all reasons. */
export function partErrors(parts: Parts): readonly string[] {
  const registry = new ToolRegistry();
  const names = parts.sinks?.map(({ name }) => name) ?? [];
  return [
    ...LISTS.flatMap(([list, method, label, pattern]) =>
      (parts[list] ?? []).flatMap((part, index) => {
        const entry = `${list}: entry ${index}`;
        if (typeof part === 'function')
          return [`${entry} is the class ${(part as Function).name}: pass an instance of it`];
        const members = ((part as unknown) ?? {}) as Readonly<Record<string, unknown>>;
        if (typeof members[method] !== 'function') return [`${entry} has no method ${method}`];
        const name = members[label];
        if (typeof name === 'string' && pattern.test(name)) {
          const isUsable =
            list !== 'detectors' || (members['placeholder'] && KIND.test(String(members['kind'])));
          return isUsable ? [] : [`${entry} has no placeholder or no kind: extend Detector`];
        }
        return [
          `${entry} has the invalid ${label} ${JSON.stringify(String(name).slice(0, 100))}; use one that matches ${pattern.source}`,
        ];
      }),
    ),
    ...names
      .filter((name, index) => names.indexOf(name) < index)
      .map((name) => `sinks: two sinks are named ${name}; rename one of them`),
    ...(parts.stores !== undefined &&
    typeof (parts.stores as EngineOptions['stores'] | null)?.open !== 'function'
      ? ['stores has no method open: pass typeormStores({ url })']
      : []),
    ...(parts.tools ?? []).flatMap((tool) => reasonsOf(() => registry.list(tool))),
  ];
}
