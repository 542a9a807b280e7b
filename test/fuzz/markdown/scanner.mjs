/**
 * Runs only the Markdown rules, without those for HTML and personal data.
 *
 * @param {Record<string, any>} engine the exports of its modules, built or loaded by a test
 * @returns {import('./comparison.mjs').Scanner}
 */
export function scannerOf({ Sanitizer, Settings, DEFAULT_SETTINGS }) {
  const sanitizer = new Sanitizer([]);
  const settings = (/** @type {readonly string[]} */ hosts) =>
    new Settings({
      ...DEFAULT_SETTINGS,
      'output_handler.sanitize_html': false,
      'output_handler.redact_pii': false,
      'output_handler.redact_secrets': false,
      'output_handler.rendering': 'markdown',
      'output_handler.allowed_hosts': hosts,
    });
  return {
    find: (text, hosts) => sanitizer.sanitize(text, settings(hosts)).findings.map(({ span }) => span),
    clean: (text, hosts) => sanitizer.sanitize(text, settings(hosts)).text,
  };
}
