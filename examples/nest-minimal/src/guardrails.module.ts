import { existsSync } from 'node:fs';
import { ApiKeyGuard, GuardrailsApiModule } from 'nest-guardrails';

if (existsSync('.env')) process.loadEnvFile();
const operators = new ApiKeyGuard({
  'ops-1': { key: process.env.OPS_KEY, role: 'operator' },
});

export const guardrails = GuardrailsApiModule.forRoot({
  isGlobal: true,
  api: { enabled: true, middleware: [operators] },
  panel: { enabled: true, auth: 'bearer' },
  principal: () => null, // anonymous; return the id of the authenticated user
});
