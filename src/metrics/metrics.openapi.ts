import { text } from '../openapi/json-schema.js';
import type { RouteDescription } from '../openapi/route-description.js';

export const METRICS = {
  metrics: {
    summary: 'Figures for Prometheus',
    description:
      'Text in the format of Prometheus, without an envelope; errors have one. Decisions, durations and records are of the instance that answers, approvals and waiting events of all instances.',
    answer: {
      name: 'MetricsText',
      schema: text,
      example: 'guardrails_decisions_total{control="input_screen",outcome="blocked"} 3\n',
    },
  },
} as const satisfies Record<string, RouteDescription>;
