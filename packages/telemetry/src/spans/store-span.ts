import { type Context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import {
  type AskErrorCode,
  httpStatusOf,
  type Observation,
  type Operation,
  type QuestionRecord,
} from '@sandagent/core/internal'
import { errorType, NAMES } from '../names.ts'
import { activeContext, remoteContext } from './trace-context.ts'

type Store = Extract<Operation, { name: 'store' }>

/**
 * The span of an answer that a host stores or refuses. It stands below the span that is active, or below the request of the
 * page, or below the question. If that is another trace than the question's, it has a link to the question.
 */
export function storeSpan(tracer: Tracer, { toolCallId, status, traceparent }: Store): Observation {
  const startTime = Date.now()
  const active = activeContext()
  let record: QuestionRecord | undefined
  return {
    progress(progress) {
      if (progress.name === 'found') record = progress.record
    },
    end({ stored, error }) {
      const endTime = Date.now()
      const question = remoteContext(record?.traceparent)
      const sent = remoteContext(traceparent)
      const parent = active ?? sent ?? question
      const link = question && trace.getSpanContext(question)
      const isElsewhere = link && parent && traceIdOf(parent) !== link.traceId
      const span = tracer.startSpan(
        'sandagent.store_answer',
        {
          startTime,
          kind: !active && sent ? SpanKind.SERVER : SpanKind.INTERNAL,
          ...(isElsewhere && { links: [{ context: link }] }),
          attributes: {
            [NAMES.call]: toolCallId.slice(0, MOST_CHARS),
            [NAMES.status]:
              stored?.missingVotes !== undefined ? 'vote' : (stored?.status ?? status ?? 'completed'),
            ...(record && {
              [NAMES.run]: record.runId.slice(0, MOST_CHARS),
              [NAMES.tool]: record.toolName.slice(0, MOST_CHARS),
              [NAMES.age]: Math.max(0, endTime - Date.parse(record.askedAt)) / 1000,
            }),
            ...(error !== undefined && { [NAMES.error]: errorType(error) }),
          },
        },
        parent,
      )
      if (error !== undefined && isFailure(error)) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(endTime)
    },
  }
}

/** The longest id or name of a page or a runner that gets into a span of the host, in characters. */
const MOST_CHARS = 200

const traceIdOf = (context: Context): string | undefined => trace.getSpanContext(context)?.traceId

/** Whether the host failed. A refusal is its work. The bundled command has a class of errors of its own: the code tells. */
function isFailure(error: unknown): boolean {
  const status = httpStatusOf(errorType(error) as AskErrorCode)
  return status === undefined || status >= 500
}
