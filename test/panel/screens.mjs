/** Every screen, with an address that shows something on the demo. */
export const SCREENS = [
  '/',
  '/audit',
  '/audit?outcome=blocked',
  '/review',
  '/rules',
  '/firewall',
  '/output',
  '/output?days=366',
  '/approvals',
  '/approvals?tab=history',
  '/settings',
  '/settings/history',
  '/sandbox',
  '/events',
  '/holds',
];
