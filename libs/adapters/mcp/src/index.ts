export {
  digestOfTool,
  guardedClient,
  type GuardedClient,
  type GuardedClientOptions,
  type McpTool,
} from './guarded-client.js';
export {
  guardedServer,
  type GuardedServer,
  type GuardedServerOptions,
  type McpCaller,
} from './guarded-server.js';
export { guardedStrategy, type GuardedStrategyOptions } from './guarded-strategy.js';
export type { McpResult } from './mcp-results.js';
