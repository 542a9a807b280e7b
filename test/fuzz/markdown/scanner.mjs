/**
 * The markdown scanner alone: no HTML mode, no redaction.
 *
 * @param {Record<string, any>} engine what its modules export: as they are built, or as a test loads them
 * @returns {import('./comparison.mjs').Scanner}
 */
export function scannerOf({ Sanitizer, LinkPolicy, MarkdownPass, Settings, DEFAULT_SETTINGS }) {
  const sanitizer = new Sanitizer([]);
  const settings = (/** @type {readonly string[]} */ hosts) =>
    new Settings({
      ...DEFAULT_SETTINGS,
      'output_handler.sanitize_html': false,
      'output_handler.redact_pii': false,
      'output_handler.redact_secrets': false,
      'output_handler.allowed_hosts': hosts,
    });
  return {
    look(text, hosts) {
      const pass = new MarkdownPass(new LinkPolicy(hosts), true);
      const { findings, edits } = pass.judge({ text, judged: text.length });
      return { found: findings.map(({ span }) => span), edited: edits.map(({ span }) => span) };
    },
    clean: (text, hosts) => sanitizer.sanitize(text, settings(hosts)).text,
  };
}
