/** The list of screens: navigation, palette and keys read it. */
import type { IconName } from '../ui/controls.js';

export interface ScreenEntry {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** The key after `g`. */
  readonly key: string;
  /** In the bar of a phone; the others are behind More. */
  readonly isOnPhone?: true;
}

interface ScreenGroup {
  readonly label: string;
  readonly screens: readonly ScreenEntry[];
}

/** The screens of the navigation, in its order. */
export const SCREEN_GROUPS: readonly ScreenGroup[] = [
  {
    label: 'Watch',
    screens: [
      { path: '/', label: 'Overview', icon: 'overview', key: 'o', isOnPhone: true },
      { path: '/audit', label: 'Audit', icon: 'audit', key: 'a', isOnPhone: true },
      { path: '/approvals', label: 'Approvals', icon: 'approvals', key: 'p', isOnPhone: true },
      { path: '/review', label: 'Review', icon: 'review', key: 'v' },
    ],
  },
  {
    label: 'Controls',
    screens: [
      { path: '/rules', label: 'Rules', icon: 'rules', key: 'r' },
      { path: '/firewall', label: 'Firewall', icon: 'firewall', key: 'f' },
      { path: '/output', label: 'Output', icon: 'output', key: 'u' },
    ],
  },
  {
    label: 'Operate',
    screens: [
      { path: '/sandbox', label: 'Sandbox', icon: 'sandbox', key: 'b' },
      { path: '/settings', label: 'Settings', icon: 'settings', key: 's', isOnPhone: true },
      { path: '/events', label: 'Events', icon: 'events', key: 'e' },
      { path: '/holds', label: 'Holds', icon: 'holds', key: 'h' },
    ],
  },
];

export const SCREENS: readonly ScreenEntry[] = SCREEN_GROUPS.flatMap(({ screens }) => screens);
