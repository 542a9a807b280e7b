import { render } from 'preact';
import { App, loadFirstScreen } from './app.js';
import { readLinkedApproval } from './data/open-approval.js';
import { takeToken } from './data/page.js';
import './styles/index.css';

// A screen reads the token as soon as it is loaded, so the token is taken first.
takeToken();
addEventListener('hashchange', takeToken);

await Promise.all([loadFirstScreen(), readLinkedApproval()]);
const root = document.querySelector('#panel');
if (root !== null) render(<App />, root);
