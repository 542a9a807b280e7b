import type { Policies } from './policies.js';

/**
 * Policies for tools that pay, send, delete, run and share, with the names of the examples: rename the tools and arguments.
 * Calls run where the user typed the values, or a tool of the host vouches for them; others wait.
 */
export const EXAMPLE_POLICIES: Policies = {
  pay: {
    rules: [
      { when: {}, vouched: ['/iban', '/amount'], require: 'approval' },
      { when: { '/amount': { lte: 1000 } }, require: 'allow' },
      { when: {}, require: 'approval', approvers: 2 },
    ],
    limits: [{ sum: '/amount', lte: 5000, per: 'day', require: 'approval' }],
  },
  send_mail: {
    rules: [
      { when: {}, vouched: ['/to', '/attachment'], require: 'approval' },
      { when: {}, after: 'suspect', require: 'approval' },
      { when: {}, require: 'allow' },
    ],
    limits: [],
  },
  delete_file: {
    rules: [
      { when: {}, vouched: ['/path'], require: 'approval' },
      { when: {}, require: 'allow' },
    ],
    limits: [],
  },
  run_command: {
    rules: [
      { when: {}, after: 'untrusted', require: 'approval' },
      { when: {}, vouched: ['/command'], require: 'approval' },
      { when: {}, require: 'allow' },
    ],
    limits: [],
  },
  share: {
    rules: [
      { when: {}, vouched: ['/file', '/with', '/role'], require: 'approval' },
      { when: {}, require: 'allow' },
    ],
    limits: [],
  },
};
