import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { anchorOf, siteLinks } from './links.mjs';

const DOCS = new URL('../', import.meta.url);

/** An entry of the navigation, named by the heading of the page. */
function entry(page) {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(new URL(page, DOCS), 'utf8')) ?? [];
  if (heading === undefined) throw new Error(`docs/${page} has no heading.`);
  return { text: heading.replaceAll('`', ''), link: `/${page.replace(/(?:index)?\.md$/, '')}` };
}

/** Pages of a folder. A name with a slash is a page of another one. */
const group = (text, folder, names, collapsed) => ({
  text,
  collapsed,
  items: names.map((name) => entry(`${name.includes('/') ? '' : folder}${name.replace(/^\//, '')}.md`)),
});

const all = (folder) =>
  readdirSync(new URL(folder, DOCS))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => name.replace('.md', ''));

/** A group that is closed at first. Its name leads to its first page: without a link, the theme nests two buttons. */
function closed(text, folder, names) {
  const made = group(text, folder, names, true);
  return { ...made, link: made.items[0].link };
}

const guides = (text, ...names) => closed(text, 'guides/', names);

/** Every page is in it: check-links.mjs fails for another one. */
const sidebar = [
  group('Start', 'start/', [
    'quick-start',
    'nest-application',
    'concepts',
    'first-week',
    '/threat-model',
    '/glossary',
  ]),
  {
    text: 'Guides',
    items: [
      guides(
        'Guard an application',
        'decorators',
        'tools-and-texts',
        'conversations',
        'own-port',
        'testing',
        'troubleshooting',
      ),
      guides('Frameworks', 'ai-sdk', 'langchain', 'openai-agents', 'mcp', 'engine'),
      guides('Operators', 'authentication', 'panel', 'client'),
      guides('Approvals', 'approvals', 'policies', 'provenance', 'slack'),
      guides('Screening', 'rollout', 'rules', 'exceptions', 'reviews', 'own-classifier'),
      guides('Data and instances', 'databases', 'scale', 'monitoring'),
      guides('Events', 'events', 'live-stream', 'alerts'),
      guides('Audit', 'retention', 'verification', 'auditors', 'audit-walkthrough', 'duckdb'),
      entry('guides/comparison.md'),
    ],
  },
  {
    text: 'Reference',
    items: [
      ...group('', 'reference/', ['contract', 'settings', 'routes']).items,
      {
        ...entry('reference/http/index.md'),
        ...group('OpenAPI', 'reference/http/', all('reference/http/'), true),
      },
      ...group('', 'reference/', ['events', 'cli', 'imports', 'approvals']).items,
      closed('Detection', 'reference/', [
        'rules',
        'screening',
        'detection',
        'classifier',
        'detectors',
        'owasp',
      ]),
      ...group('', 'reference/', ['limits', 'verifier', 'performance', 'sizing', 'distribution']).items,
    ],
  },
  group('Operate', 'operate/', ['upgrade', 'backup', 'key-rotation', 'uninstall']),
  {
    text: 'Contribute',
    items: [
      ...group('', 'contributing/', [
        'project/contributing',
        'recipes',
        'project/architecture',
        'style',
        'design',
        'releasing',
      ]).items,
      closed('Decisions', 'decisions/', all('decisions/')),
      ...group('', 'project/', ['security', 'changelog']).items,
    ],
  },
];

export default defineConfig({
  title: 'nest-guardrails',
  description: 'Deterministic, offline guardrails around a language model, for NestJS.',
  base: process.env.SITE_BASE ?? '/',
  lang: 'en',
  rewrites: { 'README.md': 'index.md' },
  srcExclude: ['panel/**'],
  // Pages are plain Markdown. `<name>` in a text is no element.
  markdown: {
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: siteLinks,
    anchor: { slugify: anchorOf },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar,
    ...(process.env.REPOSITORY ? { socialLinks: [{ icon: 'github', link: process.env.REPOSITORY }] } : {}),
  },
});
