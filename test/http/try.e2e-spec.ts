import './try/policies.suite.js';
import './try/texts.suite.js';
