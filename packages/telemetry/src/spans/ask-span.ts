import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import {
  isSettled,
  type Observation,
  type OpenRecord,
  type OperationEnd,
  type QuestionRecord,
} from '@sandagent/core/internal'
import { errorType, NAMES } from '../names.ts'
import { AskTimes } from '../times.ts'
import { remoteContext, traceparentOf } from './trace-context.ts'

const attributesOf = ({ toolCallId, toolName, kind, questions, asker, runId }: QuestionRecord) => ({
  ...(kind === 'question' && { [NAMES.operation]: 'execute_tool' }),
  [NAMES.tool]: toolName,
  [NAMES.toolType]: 'function',
  [NAMES.call]: toolCallId,
  ...(asker?.agent !== undefined && { [NAMES.agent]: asker.agent }),
  [NAMES.run]: runId,
  [NAMES.kind]: kind,
  [NAMES.count]: questions.length,
})

/**
 * The span of a question, from before it is written until its agent goes on. Below it stand the time of the machine, which
 * asks and delivers, and the time of the person. A question that an earlier process had asked stays in its trace.
 */
export function askSpan(tracer: Tracer, asked: OpenRecord, parent: Context = ROOT_CONTEXT): Observation {
  const times = new AskTimes(asked)
  const { begin } = times
  const start = (record: QuestionRecord, startTime: number, above: Context): Span => {
    const links = trace.getSpanContext(parent)
    return tracer.startSpan(
      record.kind === 'question' ? `execute_tool ${record.toolName}` : `sandagent.approve ${record.toolName}`,
      {
        startTime,
        attributes: attributesOf(record),
        ...(above !== parent && links && { links: [{ context: links }] }),
      },
      above,
    )
  }
  let span = start(asked, begin, parent)
  const traceparent = traceparentOf(span)

  const part = (name: string, startTime: number, endTime: number): void =>
    tracer.startSpan(name, { startTime }, trace.setSpan(context.active(), span)).end(endTime)

  const close = ({ outcome, error }: OperationEnd): void => {
    const end = Date.now()
    if (outcome) span.setAttribute(NAMES.outcome, outcome.kind)
    if (error !== undefined)
      span.setAttribute(NAMES.error, errorType(error)).setStatus({ code: SpanStatusCode.ERROR })
    if (times.record && isSettled(times.record)) span.setAttribute(NAMES.replayed, true)
    else if (times.record) {
      const { from, to, human, machine, isAnswered } = times.until(end, outcome?.kind)
      if (from > begin) part('sandagent.ask', begin, from)
      part('sandagent.wait_for_person', from, to)
      if (isAnswered) part('sandagent.deliver', to, end)
      span.setAttribute(NAMES.humanTime, human / 1000).setAttribute(NAMES.machineTime, machine / 1000)
    }
    span.end(end)
  }

  return {
    traceparent,
    progress(progress) {
      times.note(progress)
      if (progress.name !== 'asked' || !times.isAdopted) return
      const { record } = progress
      const above = remoteContext(record.traceparent)
      // The first span is never ended, so nobody sees it: a span cannot change its parent.
      if (above) span = start(record, isSettled(record) ? begin : times.until(begin, undefined).from, above)
    },
    end: close,
  }
}
