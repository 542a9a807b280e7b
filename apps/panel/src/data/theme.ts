import { effect, signal } from '@preact/signals';
import { keep, recall } from './storage.js';

const STORED = 'guardrails.theme';
const preference = matchMedia('(prefers-color-scheme: dark)');
const chosen = signal<string | null>(recall('local', STORED));

/** The system's theme until the operator chooses one. */
export const theme = signal<'light' | 'dark'>('light');

const update = (): void => {
  const wanted = chosen.value ?? (preference.matches ? 'dark' : 'light');
  theme.value = wanted === 'dark' ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = theme.value;
};

preference.addEventListener('change', update);
effect(update);

export function toggleTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
  keep('local', STORED, chosen.value);
}
