import { createHash } from 'node:crypto';
import type { Settings } from '../../../contracts/src/settings/settings.js';

/** A strong validator of what GET /settings shows. */
export function settingsEtag(settings: Settings): string {
  const shown = JSON.stringify([settings.revision, settings.overridden, settings.shown()]);
  return `"${createHash('sha256').update(shown).digest('hex').slice(0, 32)}"`;
}

/** Whether an `If-Match` header names this validator: `*`, or a list of tags compared strongly. */
export function matchesEtag(ifMatch: string, etag: string): boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etag);
}
