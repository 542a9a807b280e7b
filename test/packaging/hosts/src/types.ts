import { GuardrailsApiModule } from 'nest-guardrails';
import type { CallRequest } from 'nest-guardrails/client';
import { DEFAULT_SETTINGS } from 'nest-guardrails/engine';

// Fails to compile where a type of the package resolves to `any`.

// @ts-expect-error a number is needed
GuardrailsApiModule.forRoot({ api: { enabled: true, listen: { port: 'http' } } });
// @ts-expect-error a text is needed
export const request: CallRequest<'approvals.approve'> = { token: 1 };
// @ts-expect-error a mode is needed
export const setting: 'nothing' = DEFAULT_SETTINGS['modes.hitl'];
