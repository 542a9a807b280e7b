import './panel/ways-in.suite.js';
import './panel/files.suite.js';
import './panel/hosts.suite.js';
import './panel/boot.suite.js';
