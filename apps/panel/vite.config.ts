import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { budgets } from './budgets.js';
import { preloads } from './preloads.js';

/** The demo, for `npm run x -- dev:panel`. */
const DEMO = process.env['GUARDRAILS_DEMO'] ?? 'http://127.0.0.1:3000';
const PANEL_PATH = '/guardrails/panel';

/** The server chooses one of them by `Accept-Encoding`, so nothing is compressed while requests wait. */
const precompressed: Plugin = {
  name: 'precompressed',
  apply: 'build',
  generateBundle: {
    // Vite adds the style sheet in the same hook, so this one runs after it.
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!file.fileName.startsWith('assets/')) continue;
        const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        this.emitFile({
          type: 'asset',
          fileName: `${file.fileName}.br`,
          source: brotliCompressSync(content),
        });
        this.emitFile({
          type: 'asset',
          fileName: `${file.fileName}.gz`,
          source: gzipSync(content, { level: 9 }),
        });
      }
    },
  },
};

/** Libraries, the parts that screens are made of, except charts, and what the pages of approvals share. */
const SHARED =
  /node_modules|libs\/(?:client|contracts)\/|apps\/panel\/src\/(?:data|layout|text|ui(?!\/(?:decisions-)?charts?\.))\/|screens\/approvals\/(?:reasons|sentences)\./;

/** In development Vite serves the shell, which the module completes otherwise. */
const metaTags: Plugin = {
  name: 'meta-tags',
  apply: 'serve',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (request.url === PANEL_PATH) request.url = `${PANEL_PATH}/`;
      next();
    });
  },
  transformIndexHtml: (html) =>
    html.replace(
      '<!-- guardrails -->',
      `<meta name="guardrails-panel" content="${PANEL_PATH}" />
      <meta name="guardrails-api" content="/guardrails/api" />
      <meta name="guardrails-auth" content="session" />
      <meta name="guardrails-login" content="/login" />`,
    ),
};

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // The server replaces ./assets by the address of the panel.
  base: command === 'build' ? './' : `${PANEL_PATH}/`,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/apps/panel',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    // Several screens share small files. In one file they cost one request.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: SHARED, priority: 1 },
            { name: 'charts', test: /ui\/(?:decisions-)?charts?\./ },
            { name: 'settings-data', test: /settings\/(?:changed-value|draft|settings-data)\./ },
          ],
        },
      },
    },
  },
  plugins: [precompressed, budgets, preloads, metaTags],
  server: { proxy: { '^/(?!guardrails/panel)': { target: DEMO } } },
}));
