import { type Context, context, isSpanContextValid, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import { traceparentIn } from '@sandagent/core/internal'

/** The span as a W3C `traceparent`; `undefined` if no SDK makes real spans. */
export function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext()
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return undefined
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** The context of a span in another process; `undefined` for a text that is no `traceparent`. */
export function remoteContext(traceparent: string | null | undefined): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] = traceparentIn(traceparent)?.split('-') ?? []
  if (traceId === '') return undefined
  const traceFlags = Number.parseInt(flags, 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** The context of the span that is active, if there is one. */
export const activeContext = (): Context | undefined => {
  const active = context.active()
  return trace.getSpan(active) ? active : undefined
}
