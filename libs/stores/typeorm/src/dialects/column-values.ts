import type { ValueTransformer } from 'typeorm';
import { scrubText } from '../../../../contracts/src/text.js';
import { jsonOf, jsonText } from '../json-text.js';

/** Drivers hand 64-bit integers over as text; ours all fit a double. */
export const asNumber: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Number(value)),
};

export const asFlag: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => (value === null ? null : Boolean(value)),
};

export const scrubbed: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? scrubText(value) : value),
  from: (value: unknown) => value,
};

export const asJson: ValueTransformer = {
  to: (value: unknown) => (value === null || value === undefined ? value : jsonText(value)),
  from: (value: unknown) => (value === null ? null : jsonOf(value as string)),
};

export const asBase64url: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? Buffer.from(value, 'base64url') : value),
  from: (value: unknown) => (value === null ? null : (value as Buffer).toString('base64url')),
};
