import './decorators/handlers.suite.js';
import './decorators/tools.suite.js';
import './decorators/transports.suite.js';
