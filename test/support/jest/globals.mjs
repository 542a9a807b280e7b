/** `@jest/globals` for specs that share modules: Jest's functions of the spec that is declared now. */
const current = (name) =>
  new Proxy(() => {}, {
    apply: (_target, _self, args) => globalThis[name](...args),
    get: (_target, key) => globalThis[name][key],
  });

export const [afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test] = [
  'afterAll',
  'afterEach',
  'beforeAll',
  'beforeEach',
  'describe',
  'expect',
  'it',
  'jest',
  'test',
].map(current);
