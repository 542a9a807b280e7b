import Sequencer from '@jest/test-sequencer';

/** Files that take longest, so that none of them runs alone at the end. Most of them are small: they list suites. */
const LONG = [
  'test/stores/postgres.contract.spec.ts',
  'test/http/reads.e2e-spec.ts',
  'test/http/boot.e2e-spec.ts',
  'test/http/approvals.e2e-spec.ts',
  'test/http/demo.e2e-spec.ts',
  'test/stores/counts.spec.ts',
  'test/stores/migrations.spec.ts',
  'test/adapters/langchain.spec.ts',
  'test/http/settings.e2e-spec.ts',
  'test/http/approvals.slack.e2e-spec.ts',
  'test/http/errors.e2e-spec.ts',
  'test/http/instances.e2e-spec.ts',
  'test/http/client.e2e-spec.ts',
  'test/stores/side-by-side.spec.ts',
  'test/http/decorators.e2e-spec.ts',
  'test/http/gate.e2e-spec.ts',
  'test/http/routes.e2e-spec.ts',
  'src/events/live-streams.spec.ts',
];

const placeOf = ({ path }) => {
  const place = LONG.findIndex((file) => path.endsWith(`/${file}`));
  return place === -1 ? LONG.length : place;
};

/** The other files keep Jest's order: by the times of an earlier run, otherwise by size. */
export default class LongFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of Jest, which returns a list
    return super.sort(tests).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
