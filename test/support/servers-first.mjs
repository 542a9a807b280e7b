import Sequencer from '@jest/test-sequencer';

/**
 * Starts the specs with servers first. They take longest, but the files that list their suites are small, and without
 * times of an earlier run Jest starts with the largest files.
 */
export default class ServersFirst extends Sequencer {
  sort(tests) {
    const hasServers = ({ context }) => context.config.displayName?.name !== 'unit';
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of Jest, which returns a list
    const sorted = super.sort(tests);
    return [...sorted.filter(hasServers), ...sorted.filter((test) => !hasServers(test))];
  }
}
