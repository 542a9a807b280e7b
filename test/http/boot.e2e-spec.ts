import './boot/connections.suite.js';
import './boot/configuration.suite.js';
import './boot/module.suite.js';
