/**
 * Creates an element with a class and children. Text children are added as text nodes, never as markup, because the
 * page shows text of attackers.
 */
export function element(tag, className, ...children) {
  const created = document.createElement(tag);
  if (className) created.className = className;
  created.append(...children.filter((child) => child !== null));
  return created;
}

export function button(label, onClick, className) {
  const created = element('button', className, label);
  created.type = 'button';
  created.addEventListener('click', onClick);
  return created;
}

export function notice(id, text, tone = '') {
  const place = document.getElementById(id);
  place.textContent = text;
  place.className = `notice ${tone}`;
  place.hidden = text === '';
}
