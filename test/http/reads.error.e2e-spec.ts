import { READING_HOST } from './reads/material.js';
import { describeStoreFaults } from './reads/store-faults.suite.js';
import { describeUnknownEntries } from './reads/unknown-entry.suite.js';
import { describeUntrustedQueries } from './reads/untrusted-query.suite.js';
import { describeOnHosts } from './support/hosts.js';

describeOnHosts(READING_HOST, (bench) => {
  describeUntrustedQueries(bench);
  describeUnknownEntries(bench);
  describeStoreFaults(bench);
});
