import { overview, setMode } from './api.js';
import { element, notice } from './dom.js';

/** The letters of the lanes and of the prepared attacks. */
const LETTERS = 'ABCD';

const MODES = { enforce: 'enforce', monitor: 'shadow', off: 'off' };

/** Shows the four controls with a selector for the mode of each. */
export async function showControls() {
  try {
    const { controls } = await overview();
    document.getElementById('controls').replaceChildren(...controls.map(controlRow));
  } catch (error) {
    notice('settings-notice', error.message);
  }
}

function controlRow({ key, label, mode }, index) {
  const choice = element('select', '', ...Object.entries(MODES).map(([value, name]) => option(value, name)));
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

function option(value, name) {
  const made = element('option', '', name);
  made.value = value;
  return made;
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
