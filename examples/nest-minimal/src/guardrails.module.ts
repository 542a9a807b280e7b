import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ApiKeyGuard, GuardrailsApiModule } from 'nest-guardrails';
// import { EXAMPLE_POLICIES } from 'nest-guardrails/contracts';

const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
Object.assign(process.env, { ...file, ...process.env });
const key = process.env.OPS_KEY;

export const guardrails = GuardrailsApiModule.forRoot({
  isGlobal: true,
  // Without a key there is no API.
  api: key
    ? {
        enabled: true,
        middleware: [new ApiKeyGuard({ 'ops-1': { key, role: 'operator' } })],
      }
    : {},
  panel: { enabled: Boolean(key), auth: 'bearer' },
  // Records which calls would wait because nobody vouched for their arguments, and stops none. Rename the tools of the
  // examples to yours, set GUARDRAILS_HITL_TOKEN_SECRET (32 characters or more), and remove these slashes and those above.
  // settings: { modes: { hitl: 'monitor' }, hitl: { enabled: true, policies: EXAMPLE_POLICIES } },
  // Anonymous. Return { principalId, runId }: the id of the authenticated user, and that of the conversation.
  // Without a runId, a tool call that is repeated waits again, and runs twice if both are approved.
  principal: () => null,
});
