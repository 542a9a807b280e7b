/**
 * An element, its class and its children. A child that is a text stays a text: nothing here ever becomes markup,
 * because half of what this page shows was written by an attacker.
 */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function button(label, onClick, className) {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

export function notice(id, text, tone = '') {
  const place = document.getElementById(id);
  place.textContent = text;
  place.className = `notice ${tone}`;
  place.hidden = text === '';
}
