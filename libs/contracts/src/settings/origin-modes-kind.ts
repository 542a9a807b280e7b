import { MODE_NAMES, type ModeName } from '../control-mode.js';
import { SCREENED_ORIGINS, type ScreenedOrigin } from '../screening.js';
import { invalid, isPlainObject, parseJsonText, type SettingKind, valid } from './setting-kinds.js';

/** The mode of each origin that is named. */
export const originModes: SettingKind<Readonly<Partial<Record<ScreenedOrigin, ModeName>>>> = {
  name: 'object of origin modes',
  schema: {
    type: 'object',
    properties: Object.fromEntries(SCREENED_ORIGINS.map((origin) => [origin, { enum: [...MODE_NAMES] }])),
    additionalProperties: false,
  },
  choices: MODE_NAMES,
  parse(raw) {
    if (!isPlainObject(raw))
      return invalid(`must be an object whose keys are ${SCREENED_ORIGINS.join(', ')}`);
    const reasons = Object.entries(raw).flatMap(([origin, mode]) => {
      if (!(SCREENED_ORIGINS as readonly string[]).includes(origin))
        return [
          `has the unknown origin ${JSON.stringify(origin.slice(0, 120))}: use ${SCREENED_ORIGINS.join(', ')}`,
        ];
      return (MODE_NAMES as readonly unknown[]).includes(mode)
        ? []
        : [`origin ${origin} must be one of ${MODE_NAMES.join(', ')}`];
    });
    const modes = raw as Readonly<Partial<Record<ScreenedOrigin, ModeName>>>;
    const inOrder = SCREENED_ORIGINS.flatMap((origin) => {
      const mode = modes[origin];
      return mode === undefined ? [] : [[origin, mode] as const];
    });
    return reasons.length > 0 ? invalid(...reasons) : valid(Object.freeze(Object.fromEntries(inOrder)));
  },
  parseText(raw) {
    const json = parseJsonText(raw);
    return json.ok ? originModes.parse(json.value) : json;
  },
};
