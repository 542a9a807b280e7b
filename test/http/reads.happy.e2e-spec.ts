import { describeApprovals } from './reads/approvals.suite.js';
import { describeAuditEntry } from './reads/audit-entry.suite.js';
import { describeAuditList } from './reads/audit-list.suite.js';
import { describeAuditTrend } from './reads/audit-trend.suite.js';
import { describeFirewall } from './reads/firewall.suite.js';
import { READING_HOST } from './reads/material.js';
import { describeOutputStats } from './reads/output-stats.suite.js';
import { describeOverview } from './reads/overview.suite.js';
import { describePaging } from './reads/paging.suite.js';
import { describeRules } from './reads/rules.suite.js';
import { describeSettingsChanges } from './reads/settings-changes.suite.js';
import { describeOnHosts } from './support/hosts.js';

describeOnHosts(READING_HOST, (bench) => {
  describeOverview(bench);
  describeAuditList(bench);
  describeAuditEntry(bench);
  describeAuditTrend(bench);
  describeFirewall(bench);
  describeRules(bench);
  describeOutputStats(bench);
  describeSettingsChanges(bench);
  describePaging(bench);
  describeApprovals(bench);
});
