/**
 * The Markdown rules alone: tags of HTML and personal data stay as they are.
 *
 * @param {Record<string, any>} engine the exports of its modules: as built, or as a test loads them
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
    look(text, hosts) {
      const session = sanitizer.begin(settings(hosts));
      session.push(text);
      session.end();
      return {
        found: session.findings.map(({ span }) => span),
        edited: session.edits.map(({ span }) => span),
      };
    },
    clean: (text, hosts) => sanitizer.sanitize(text, settings(hosts)).text,
  };
}
