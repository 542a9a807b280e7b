import type { Link } from '@opentelemetry/api';

type Api = typeof import('@opentelemetry/api');

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The current span as a W3C `traceparent`; `null` without one. */
export function traceParentOf({ isSpanContextValid, trace }: Api): string | null {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** A link to the span of a `traceparent`; none where it has another form. */
export function linksTo(traceParent: string | null): Link[] {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(traceParent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true } }];
}
