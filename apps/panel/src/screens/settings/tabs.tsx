import { href } from '../../data/page.js';

export function SettingsTabs({ open }: { readonly open: 'values' | 'history' }) {
  return (
    <nav class="tabs" aria-label="Settings">
      <a href={href('/settings')} aria-current={open === 'values' ? 'page' : undefined}>
        Settings
      </a>
      <a href={href('/settings/history')} aria-current={open === 'history' ? 'page' : undefined}>
        History
      </a>
    </nav>
  );
}
