import './demo/approvals.suite.js';
import './demo/compose.suite.js';
import './demo/panel.suite.js';
