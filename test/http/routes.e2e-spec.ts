import './routes/answers.suite.js';
import './routes/openapi.suite.js';
