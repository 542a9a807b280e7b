import type { Settings } from './settings.js';

/** Whoever decides something takes one snapshot from here and keeps to it. */
export abstract class CurrentSettings {
  abstract current(): Settings;
}
