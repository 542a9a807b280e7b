import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** `public` stands beside the sources, and is served from there whether this runs compiled or not. */
const PUBLIC_FOLDER =
  ['../public', '../../../../apps/demo/public']
    .map((path) => join(import.meta.dirname, path))
    .find((path) => existsSync(path)) ?? '';

export const ASSETS_FOLDER = join(PUBLIC_FOLDER, 'assets');

export function pageFile(name: string): string {
  return join(PUBLIC_FOLDER, name);
}
