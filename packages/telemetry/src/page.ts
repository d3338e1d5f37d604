import { SpanKind, SpanStatusCode, type TracerProvider, trace } from '@opentelemetry/api'
import { errorType, NAMES } from './names.ts'
import { remoteContext, traceparentOf } from './spans/trace-context.ts'

export interface TracedFetchOptions {
  /** Makes the spans. Default: the one that is registered with `@opentelemetry/api`. */
  tracerProvider?: TracerProvider | undefined
  /** Sends the requests. Default: the page's own `fetch`. */
  fetch?: typeof fetch | undefined
}

/**
 * Makes the `fetch` of a form. Each answer gets a span below its question, and the header `traceparent`, so that the host goes
 * on with the same trace. All other requests are left as they are. Make it once: forms with the same `fetch` share a stream.
 */
export function createTracedFetch(options: TracedFetchOptions = {}): typeof fetch {
  const { tracerProvider = trace, fetch: send = (...request) => globalThis.fetch(...request) } = options
  return async (input, init) => {
    const answer = answerIn(init)
    if (!answer) return send(input, init)
    const span = tracerProvider.getTracer('@sandagent/telemetry').startSpan(
      'sandagent.send_answer',
      {
        kind: SpanKind.CLIENT,
        attributes: { [NAMES.call]: answer.toolCallId, [NAMES.status]: answer.status ?? 'completed' },
      },
      remoteContext(answer.traceparent),
    )
    const headers = new Headers(init?.headers)
    const traceparent = traceparentOf(span)
    if (traceparent !== undefined) headers.set('traceparent', traceparent)
    try {
      const response = await send(input, { ...init, headers })
      span.setAttribute(NAMES.httpStatus, response.status)
      if (!response.ok) span.setStatus({ code: SpanStatusCode.ERROR })
      return response
    } catch (error) {
      span.setAttribute(NAMES.error, errorType(error)).setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

interface SentAnswer {
  toolCallId: string
  status?: string
  traceparent?: string
}

/** The answer that a request sends, if it sends one. */
function answerIn(init: RequestInit | undefined): SentAnswer | null {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return null
  try {
    const { toolCallId, status, traceparent } = Object(JSON.parse(init.body))
    if (typeof toolCallId !== 'string') return null
    return {
      toolCallId,
      ...(typeof status === 'string' && { status }),
      ...(typeof traceparent === 'string' && { traceparent }),
    }
  } catch {
    return null
  }
}
