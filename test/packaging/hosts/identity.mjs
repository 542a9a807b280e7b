// Compares what `require` and `import` load, name by name, for every subpath.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { exports } = require('nest-guardrails/package.json');
for (const subpath of Object.keys(exports).filter((key) => key !== './package.json')) {
  const name = subpath.replace('.', 'nest-guardrails');
  const [required, imported] = [require(name), await import(name)];
  assert.deepEqual(Object.keys(imported).toSorted(), Object.keys(required).toSorted(), name);
  for (const [key, value] of Object.entries(imported))
    assert.equal(value, required[key], `${key} of ${name}`);
}
