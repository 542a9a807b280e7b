// Writes the pages that are made from other files before the site is built: those of the root of the repository, and
// one for each tag of the OpenAPI document. They are not committed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PROJECT_PAGES } from './links.mjs';
import { openApiPages } from './openapi-pages.mjs';

const DOCS = new URL('../', import.meta.url);
const read = (name) => readFileSync(new URL(name, DOCS), 'utf8');

const document = read('reference/openapi.json');
const pages = {
  ...Object.fromEntries(Object.entries(PROJECT_PAGES).map(([source, page]) => [page, read(`../${source}`)])),
  ...openApiPages(JSON.parse(document)),
  'public/openapi.json': document,
};
for (const [name, text] of Object.entries(pages)) {
  const file = new URL(name, DOCS);
  mkdirSync(dirname(file.pathname), { recursive: true });
  writeFileSync(file, text);
}
