import { ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

/** The span of the caller (W3C Trace Context 3.2), or none when the header is not of its form. */
export function parentOf(header: string | readonly string[] | undefined): Context {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(String(header)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
