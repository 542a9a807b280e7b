import { describeGate } from './reads/gate.suite.js';
import { describeHostRoutes } from './reads/host-routes.suite.js';
import { describeLiteralSearch } from './reads/literal-search.suite.js';
import { READING_HOST } from './reads/material.js';
import { describeOnHosts } from './support/hosts.js';

describeOnHosts(READING_HOST, (bench) => {
  describeGate(bench);
  describeLiteralSearch(bench);
  describeHostRoutes(bench);
});
