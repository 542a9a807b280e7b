import { render } from 'preact';
import { App, loadFirstScreen } from './app.js';
import { takeToken } from './data/fragment-token.js';
import { readLinkedApproval } from './data/open-approval.js';
import './styles/index.css';

// Before a screen is loaded.
takeToken();
addEventListener('hashchange', takeToken);

await Promise.all([loadFirstScreen(), readLinkedApproval()]);
const root = document.querySelector('#panel');
if (root !== null) render(<App />, root);
