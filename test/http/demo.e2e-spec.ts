import './demo/approvals.suite.js';
import './demo/compose.suite.js';
