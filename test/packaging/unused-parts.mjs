import assert from 'node:assert/strict';
import { run } from './run.mjs';

/** What a host without stores, adapters and sinks does not use. All of it is installed beside the repository. */
const UNUSED = `pg typeorm @electric-sql ai langchain @langchain @openai @modelcontextprotocol @opentelemetry
  @nestjs/terminus @nestjs/websockets @nestjs/microservices @nestjs/config @rekog zod ws nats
  hyparquet hyparquet-writer`
  .split(/\s+/)
  .map((name) => `node_modules/${name}/`);
const UNUSED_PARTS = 'typeorm sinks slack client ai-sdk langchain mcp openai-agents opentelemetry testing'
  .split(' ')
  .map((part) => `dist/${part}.cjs`);
/** What only the API uses. */
const OF_THE_API = [
  'node_modules/class-validator/',
  'node_modules/class-transformer/',
  'dist/chunks/admin-api',
];

const HOOKS = `
  const urls = [];
  export const initialize = ({ port }) => port.on('message', () => port.postMessage(urls));
  export async function load(url, context, next) { urls.push(url); return next(url, context); }
`;

const host = (imports) => `
  import 'reflect-metadata';
  import { createRequire, register } from 'node:module';
  import { once } from 'node:events';
  import { MessageChannel } from 'node:worker_threads';
  const { port1, port2 } = new MessageChannel();
  register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(HOOKS))}, { data: { port: port2 }, transferList: [port2] });
  const { Module, Injectable } = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  class Root {}
  Module({ imports: ${imports} })(Root);
  const application = await NestFactory.create(Root, { logger: false });
  await application.listen(0, '127.0.0.1');
  await application.close();
  port1.postMessage(null);
  const [urls] = await once(port1, 'message');
  port1.close();
  console.log(JSON.stringify([...urls, ...Object.keys(createRequire(process.cwd() + '/x.js').cache)]));
`;

const GUARDED = `[(await import('nest-guardrails')).GuardrailsApiModule.forRoot()]`;
const WITH_API = `[(await import('nest-guardrails')).GuardrailsApiModule.forRoot({
  api: { enabled: true, middleware: [class { canActivate() { return true; } }] },
  panel: { enabled: true, auth: 'bearer' },
  settings: { hitl: { enabled: true, token_secret: 's'.repeat(48) } },
})]`;

/**
 * Compares the modules that a Nest host loads with and without the package. Nest itself loads some optional packages
 * where they are installed.
 */
export async function loadsOnlyWhatIsUsed(folder) {
  const loadedBy = async (imports) =>
    JSON.parse(await run(process.execPath, ['--input-type=module', '--eval', host(imports)], folder));
  const before = new Set(await loadedBy('[]'));
  for (const { imports, unused } of [
    { imports: WITH_API, unused: [] },
    { imports: GUARDED, unused: OF_THE_API },
  ]) {
    const added = (await loadedBy(imports)).filter((path) => !before.has(path));
    assert.ok(
      added.some((path) => path.includes('dist/chunks/create-engine')),
      'the modules of the package were not recorded',
    );
    const parts = [...UNUSED, ...UNUSED_PARTS, ...unused];
    assert.deepEqual(
      added.filter((path) => parts.some((part) => path.includes(part))),
      [],
      'modules that this host does not use',
    );
  }
}
