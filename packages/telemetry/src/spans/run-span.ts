import { type Context, context, ROOT_CONTEXT, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { Observation, Operation } from '@sandagent/core/internal'
import { errorType, NAMES } from '../names.ts'
import { traceparentOf } from './trace-context.ts'

type Run = Extract<Operation, { name: 'run' | 'start' }>

/** The span of an agent's run, or of its start by a host. What the agent does stands below it. */
export function runSpan(tracer: Tracer, run: Run, parent: Context = ROOT_CONTEXT): Observation {
  const name = run.name === 'start' ? 'sandagent.start_run' : 'invoke_agent'
  const span = tracer.startSpan(
    run.name === 'run' && run.agent !== undefined ? `${name} ${run.agent}` : name,
    {
      attributes: {
        ...(run.name === 'run' && { [NAMES.operation]: 'invoke_agent' }),
        ...(run.agent !== undefined && { [NAMES.agent]: run.agent }),
        [NAMES.run]: run.runId,
      },
    },
    parent,
  )
  return {
    traceparent: traceparentOf(span),
    within: (part) => context.with(trace.setSpan(parent, span), part),
    end({ error }) {
      if (error !== undefined)
        span.setAttribute(NAMES.error, errorType(error)).setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
