import { describeApprovals } from './reads/approvals.suite.js';
import { describeAuditEntry } from './reads/audit-entry.suite.js';
import { describeAuditList } from './reads/audit-list.suite.js';
import { describeAuditTrend } from './reads/audit-trend.suite.js';
import { describeExceptions } from './reads/exceptions.suite.js';
import { describeFirewall } from './reads/firewall.suite.js';
import { describeGate } from './reads/gate.suite.js';
import { describeHostRoutes } from './reads/host-routes.suite.js';
import { describeLiteralSearch } from './reads/literal-search.suite.js';
import { READING_HOST } from './reads/material.js';
import { describeOutputStats } from './reads/output-stats.suite.js';
import { describeOverview } from './reads/overview.suite.js';
import { describePaging } from './reads/paging.suite.js';
import { describeReviews } from './reads/reviews.suite.js';
import { describeRules } from './reads/rules.suite.js';
import { describeRuns } from './reads/runs.suite.js';
import { describeSettingsChanges } from './reads/settings-changes.suite.js';
import { describeStoreFaults } from './reads/store-faults.suite.js';
import { describeUnknownEntries } from './reads/unknown-entry.suite.js';
import { describeUntrustedQueries } from './reads/untrusted-query.suite.js';
import { describeOnEachStore } from './support/hosts.js';

describeOnEachStore(READING_HOST, (bench) => {
  // These expect empty stores, or compare whole answers, which are small while the stores have few rows.
  describeGate(bench);
  describeUntrustedQueries(bench);
  describeUnknownEntries(bench);
  describeStoreFaults(bench);

  describeLiteralSearch(bench);
  describeHostRoutes(bench);
  describeOverview(bench);
  describeAuditList(bench);
  describeAuditEntry(bench);
  describeAuditTrend(bench);
  describeFirewall(bench);
  describeRuns(bench);
  describeRules(bench);
  describeReviews(bench);
  describeExceptions(bench);
  describeOutputStats(bench);
  describeSettingsChanges(bench);
  describePaging(bench);
  describeApprovals(bench);
});
