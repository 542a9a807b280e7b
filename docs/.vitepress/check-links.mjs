// Fails if a link of the built site leads nowhere: to no page, no heading or no file. Other sites are not asked. Also
// fails if a page is not in the navigation.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const SITE = fileURLToPath(new URL('./dist/', import.meta.url));
const BASE = process.env.SITE_BASE ?? '/';

const names = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.html'),
);
const pages = new Map(names.map((name) => [name, readFileSync(join(SITE, name), 'utf8')]));
const ids = new Map(
  [...pages].map(([name, html]) => [
    name,
    new Set(Array.from(html.matchAll(/\bid="([^"]+)"/g), ([, id]) => id)),
  ]),
);

const dead = [];
let count = 0;
for (const [name, html] of pages)
  for (const [, address] of html.matchAll(/<(?:a|img|link|script)\b[^>]*?\b(?:href|src)="([^"]*)"/g)) {
    if (/^(?:[a-z]+:|\/\/)/.test(address)) continue;
    count += 1;
    const [path, id] = decodeURI(address).split('#');
    const target = path.startsWith(BASE) ? path.slice(BASE.length) : posix.join(posix.dirname(name), path);
    const file = path === '' ? name : target === '' || target.endsWith('/') ? `${target}index.html` : target;
    const exists = existsSync(join(SITE, file)) && (!id || ids.get(file)?.has(id));
    if (!exists) dead.push(`${name}: ${address}`);
  }
const index = pages.get('index.html') ?? '';
for (const name of names)
  if (
    !['index.html', '404.html'].includes(name) &&
    !index.includes(`href="${BASE}${name.replace(/index\.html$/, '')}"`)
  )
    dead.push(`${name} is not in the navigation`);

for (const line of new Set(dead)) console.error(line);
console.log(`${count} links of ${names.length} pages: ${dead.length} lead nowhere.`);
if (dead.length > 0 || count === 0) process.exitCode = 1;
