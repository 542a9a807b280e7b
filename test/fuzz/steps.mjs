import { RE2JS } from 're2js';

let steps = 0;

/**
 * Counts steps instead of time: units and code points read from texts, and instructions of re2js that are executed. Reads
 * of V8 regexes are not counted.
 */
export function countSteps() {
  const program = RE2JS.compile('(?:ab|a.)*c').re2();
  program.doExecuteNFA(machineInput(program), 0, 0, 2);
  const machine = program.machinePool[0];
  count(String.prototype, 'charCodeAt');
  count(String.prototype, 'codePointAt');
  count(prototypeOf(program.prog), 'getInst');
  count(prototypeOf(program.prog.getInst(1)), 'matchRune');
  count(prototypeOf(machine.q0), 'add');
  count(prototypeOf(machine.q0), 'contains');
}

/** An input object created by re2js. */
function machineInput(program) {
  let seen;
  const execute = program.executeEngine;
  program.executeEngine = (input) => {
    seen = input;
    return null;
  };
  program.match('abc');
  program.executeEngine = execute;
  return seen;
}

const prototypeOf = (/** @type {object} */ object) => Object.getPrototypeOf(object);

function count(prototype, name) {
  const original = prototype[name];
  if (typeof original !== 'function')
    throw new Error(`re2js has no function ${name}; choose another function to count.`);
  prototype[name] = function (...given) {
    steps += 1;
    return original.apply(this, given);
  };
}

/** The number of steps of `work`. */
export async function stepsOf(/** @type {() => unknown} */ work) {
  const before = steps;
  await work();
  return steps - before;
}
