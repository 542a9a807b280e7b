/** One effective change: `before` and `after` are effective values and differ. */
export interface SettingChange {
  /** A dotted key; for a pattern `input_screen.patterns.<rule id>`. */
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}
