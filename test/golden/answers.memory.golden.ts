import { describeAnswers } from './answers.suite.js';

describeAnswers('memory');
