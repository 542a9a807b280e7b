export {
  digestOfTool,
  guardedClient,
  type GuardedClient,
  type GuardedClientOptions,
  type McpClientLike,
  type McpTool,
} from './guarded-client.js';
export {
  guardedServer,
  type GuardedServer,
  type GuardedServerOptions,
  type McpCaller,
  type McpServerLike,
} from './guarded-server.js';
export {
  guardedStrategy,
  type GuardedStrategyOptions,
  type McpNestCall,
  type McpStrategyLike,
} from './guarded-strategy.js';
export type { McpResult } from './mcp-results.js';
