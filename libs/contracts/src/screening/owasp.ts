/** Risks of the OWASP lists that rules and events are about, with what this package does about each. */
export const OWASP_RISKS = {
  'LLM01:2025': {
    title: 'Prompt Injection',
    about: 'Input screening matches texts that try to replace the instructions of the model.',
  },
  'LLM02:2025': {
    title: 'Sensitive Information Disclosure',
    about:
      'The output handler redacts secrets and personal data, and removes links that would send them to another site.',
  },
  'LLM05:2025': {
    title: 'Improper Output Handling',
    about: 'The output handler neutralizes HTML and Markdown that the model writes.',
  },
  'LLM06:2025': {
    title: 'Excessive Agency',
    about: 'The tool firewall checks each call, and destructive calls wait for a person.',
  },
  'LLM07:2025': {
    title: 'System Prompt Leakage',
    about: 'Input screening matches texts that ask for the system prompt.',
  },
  ASI01: {
    title: 'Agent Goal Hijack',
    about: 'Prompts, documents and results of tools are screened for instructions that change the goal.',
  },
  ASI02: {
    title: 'Tool Misuse and Exploitation',
    about: 'The tool firewall validates arguments, and policies limit calls or make them wait for approval.',
  },
  ASI03: {
    title: 'Identity and Privilege Abuse',
    about: 'Owner keys of a call are overwritten with the authenticated principal.',
  },
  ASI06: {
    title: 'Memory and Context Poisoning',
    about: 'Texts that enter the context from documents and tools are screened before the model reads them.',
  },
  ASI09: {
    title: 'Human-Agent Trust Exploitation',
    about: 'The approver of a call sees its real arguments, and what the model asked for.',
  },
} as const;

/** The id of a risk in the OWASP lists, such as `LLM01:2025`. */
export type OwaspRisk = keyof typeof OWASP_RISKS;

const INJECTION: readonly OwaspRisk[] = ['LLM01:2025', 'ASI01'];

/** The risks of a built-in rule, by the first part of its id. */
const RISKS_OF_TECHNIQUES: Readonly<Record<string, readonly OwaspRisk[]>> = {
  prompt_extraction: ['LLM01:2025', 'LLM07:2025'],
  secret_exfiltration: ['LLM01:2025', 'LLM02:2025'],
  tool_abuse: ['LLM01:2025', 'LLM06:2025', 'ASI02'],
  indirect_injection: ['LLM01:2025', 'ASI01', 'ASI06'],
  embedded: ['LLM01:2025', 'ASI01', 'ASI06'],
};

const TOOL_CALL: readonly OwaspRisk[] = ['LLM06:2025', 'ASI02', 'ASI03'];
const WAITING_CALL: readonly OwaspRisk[] = ['LLM06:2025', 'ASI02', 'ASI09'];

const RISKS_OF_EVENTS: Readonly<Record<string, readonly OwaspRisk[]>> = {
  'guardrails.tool.rejected': TOOL_CALL,
  'guardrails.tool.denied': TOOL_CALL,
  'guardrails.tool.frozen': TOOL_CALL,
  'guardrails.policy.denied': TOOL_CALL,
  'guardrails.policy.would_deny': TOOL_CALL,
  'guardrails.tool.parked': WAITING_CALL,
  'guardrails.tool.would_park': WAITING_CALL,
  'guardrails.output.sanitized': ['LLM02:2025', 'LLM05:2025'],
};

/** The risks that a screening rule is about. Rules of operators match injections. */
export function owaspOfRule(ruleId: string): readonly OwaspRisk[] {
  return RISKS_OF_TECHNIQUES[ruleId.split('.')[0] ?? ''] ?? INJECTION;
}

/** By the first part of the id of a built-in rule: a technique of MITRE ATLAS, and a weakness. */
const REFERENCES_OF_TECHNIQUES: Readonly<Record<string, readonly string[]>> = {
  instruction_override: ['AML.T0051.000', 'CWE-1427'],
  prompt_extraction: ['AML.T0056', 'CWE-1427'],
  role_override: ['AML.T0054', 'CWE-1427'],
  secret_exfiltration: ['AML.T0057', 'CWE-1427'],
  tool_abuse: ['AML.T0053', 'CWE-1427'],
  delimiter_forgery: ['AML.T0051.000', 'CWE-1427'],
  indirect_injection: ['AML.T0051.001', 'CWE-1427'],
  embedded: ['AML.T0051.001', 'CWE-1427'],
};

/** Further reading on what a built-in rule is about; empty for rules of operators. */
export function referencesOfRule(ruleId: string): readonly string[] {
  return REFERENCES_OF_TECHNIQUES[ruleId.split('.')[0] ?? ''] ?? [];
}

/** The risks that an event of a control is about. */
export function owaspOfEvent(name: string, ruleId: string | null): readonly OwaspRisk[] {
  return RISKS_OF_EVENTS[name] ?? (ruleId === null ? INJECTION : owaspOfRule(ruleId));
}
