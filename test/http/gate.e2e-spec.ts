import './gate/admission.suite.js';
import './gate/approval.suite.js';
import './gate/cross-site.suite.js';
import './gate/security.suite.js';
