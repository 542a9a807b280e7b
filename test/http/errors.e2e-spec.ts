import './errors/answers.suite.js';
import './errors/body.suite.js';
