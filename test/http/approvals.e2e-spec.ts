import './approvals/decisions.suite.js';
import './approvals/recovery.suite.js';
import './approvals/notifier.suite.js';
import './approvals/propose.suite.js';
import './approvals/race.suite.js';
import './approvals/votes.suite.js';
