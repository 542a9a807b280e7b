import { overview, setMode } from './api.js';
import { element, notice } from './dom.js';

/** The letters of the lanes and of the prepared attacks. */
const LETTERS = 'ABCD';

const MODES = ['enforce', 'monitor', 'off'];

/** Shows the four controls with a selector for the mode of each. */
export async function showControls() {
  try {
    const { controls } = await overview();
    document.getElementById('controls').replaceChildren(...controls.map(controlRow));
  } catch (error) {
    notice('settings-notice', error.message);
  }
}

function controlRow({ key, label: given, mode }, index) {
  const label = key === 'hitl' ? 'Approvals' : given;
  const choice = element('select', '', ...MODES.map((name) => element('option', '', name)));
  choice.value = mode;
  choice.setAttribute('aria-label', `Mode of ${label}`);
  choice.addEventListener('change', () => void change(key, choice.value));
  return element(
    'div',
    'control',
    element('span', '', element('b', 'letter', LETTERS[index]), label),
    choice,
  );
}

async function change(control, mode) {
  try {
    await setMode(control, mode);
    notice('settings-notice', '');
  } catch (error) {
    notice('settings-notice', error.message);
  }
  await showControls();
}
