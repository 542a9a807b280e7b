import './hosts/global-settings.suite.js';
import './hosts/middleware.suite.js';
import './hosts/listener.suite.js';
