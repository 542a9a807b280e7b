import type { DeliveredEvent } from '../../contracts/src/event-sink.js';

/** Facility 13: log audit. */
const FACILITY = 13;
/** Informational, warning, error, critical. */
const SEVERITIES = { low: 6, medium: 4, high: 3, critical: 2 } as const;

export interface SyslogSender {
  readonly host: string;
  readonly application: string;
  readonly process: string;
}

/** RFC 5424, with the octet counting of RFC 6587 and 5425: the message is UTF-8 and says so by its mark. */
export function syslogFrame(
  event: DeliveredEvent,
  message: string,
  { host, application, process }: SyslogSender,
): Buffer {
  const priority = FACILITY * 8 + SEVERITIES[event.severity];
  const header = [
    `<${priority}>1`,
    event.occurredAt.toISOString(),
    word(host, 255),
    word(application, 48),
    word(process, 128),
    word(event.name.replace('guardrails.', ''), 32),
  ].join(' ');
  const data = `[guardrails@32473 ${parameter('id', event.id)} ${parameter('event', event.name)} ${parameter('subject', event.subject)}]`;
  const bytes = Buffer.from(`${header} ${data} \uFEFF${message}`);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

/** Printable ASCII without spaces, or the dash that stands for nothing. */
function word(text: string, longest: number): string {
  const kept = text.replaceAll(/[^\x21-\x7E]/g, '_').slice(0, longest);
  return kept === '' ? '-' : kept;
}

/** Ids are the host's: a line break or an escape sequence in one must not forge a line where it is written down. */
function parameter(name: string, value: string): string {
  const printable = value.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '_');
  return `${name}="${printable.replaceAll(/["\\\]]/g, '\\$&')}"`;
}
