import { element } from './dom.js';

const LANES = [
  { control: 'tool_firewall', name: 'A Firewall' },
  { control: 'input_screen', name: 'B Screening' },
  { control: 'output_handler', name: 'C Output' },
  { control: 'hitl', name: 'D Approvals' },
];

const ORIGINS = { prompt: 'your message', document: 'a document', tool_result: 'the tool’s result' };

/** The text for each event. */
const SENTENCES = {
  'guardrails.prompt.allowed': ({ origin }) => `${ORIGINS[origin]}: no findings`,
  'guardrails.injection.observed': ({ origin, ruleId }) =>
    `${ORIGINS[origin]}: ${ruleId ?? 'not judged'}, passed`,
  'guardrails.injection.blocked': ({ origin, ruleId }) =>
    `${ORIGINS[origin]}: ${ruleId ?? 'not judged'}, blocked`,
  'guardrails.tool.allowed': ({ tool }) => `${tool}: valid arguments`,
  'guardrails.tool.rejected': ({ tool, outcome }) =>
    `${tool}: invalid arguments, ${outcome === 'blocked' ? 'refused' : 'passed'}`,
  'guardrails.tool.denied': ({ tool }) => `${tool}: not allowed`,
  'guardrails.output.clean': () => 'the answer is clean',
  'guardrails.output.sanitized': ({ outcome }) =>
    outcome === 'blocked' ? 'the answer was sanitized' : 'the answer would be sanitized',
  'guardrails.tool.parked': ({ tool }) => `${tool}: waits for a human`,
  'guardrails.policy.allowed': ({ tool }) => `${tool}: allowed by its policy`,
  'guardrails.policy.denied': ({ tool }) => `${tool}: denied by its policy`,
  'guardrails.policy.would_deny': ({ tool }) => `${tool}: would be denied by its policy`,
  'guardrails.tool.would_park': ({ tool }) => `${tool}: would wait for a human`,
};

/** Shows the results of the four controls in a turn, side by side. */
export function lanes({ turn, steps }, findings) {
  return element('div', 'lanes', ...LANES.map((lane) => laneOf(lane, { ...turn, findings }, steps)));
}

function laneOf({ control, name }, turn, steps) {
  const own = steps.filter((step) => step.control === control);
  const lines = [...own.map(sentence), ...(DETAILS[control]?.(turn) ?? [])];
  const state = stateOf(own);
  return element(
    'div',
    `lane ${state ?? 'idle'}`,
    element('div', 'name', name, element('span', 'state', wordFor(control, state))),
    lines.length > 0 ? element('ul', '', ...lines.map((line) => element('li', '', line))) : null,
  );
}

function stateOf(steps) {
  if (steps.length === 0) return null;
  if (steps.some(({ event }) => event === 'guardrails.tool.parked')) return 'waiting';
  if (steps.some(({ outcome }) => outcome === 'blocked')) return 'blocked';
  return steps.some(({ outcome }) => outcome === 'observed') ? 'observed' : 'passed';
}

function wordFor(control, state) {
  if (control === 'output_handler' && state === 'blocked') return 'sanitized';
  return state ?? 'not used';
}

function sentence(step) {
  return SENTENCES[step.event]?.(step) ?? step.event;
}

/** Details from the turn, because events contain no content. */
const DETAILS = {
  tool_firewall: ({ tools }) => tools.flatMap(firewallDetails),
  output_handler: ({ findings }) =>
    [...new Set(findings.map(({ detector }) => detector))].map(
      (name) => `${name}: ${findings.filter(({ detector }) => detector === name).length}`,
    ),
  hitl: ({ tools }) => tools.flatMap(({ waiting }) => (waiting ? [`reference ${waiting.reference}`] : [])),
};

/** Replaced owner keys and violations of the arguments. */
function firewallDetails({ asked, ran, violations }) {
  const moved = Object.entries(ran ?? {})
    .filter(([name, value]) => name in asked && asked[name] !== value)
    .map(([name, value]) => `${name}: ${asked[name]} → ${value}`);
  return [...moved, ...Object.entries(violations).map(([name, reason]) => `${name} ${reason}`)];
}
