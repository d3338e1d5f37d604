import type { Context, Tracer } from '@opentelemetry/api'
import { type Observer, TRACEPARENT_VARIABLE } from '@sandagent/core/internal'
import { askSpan } from './ask-span.ts'
import { runSpan } from './run-span.ts'
import { storeSpan } from './store-span.ts'
import { activeContext, remoteContext } from './trace-context.ts'

/** Makes spans. A process that a traced one has started goes on with its trace, as `TRACEPARENT` says. */
export const spanObserver = (tracer: Tracer): Observer => ({
  begin(operation) {
    if (operation.name === 'store') return storeSpan(tracer, operation)
    if (operation.name === 'ask') return askSpan(tracer, operation.record, parentHere())
    return runSpan(tracer, operation, parentHere())
  },
})

const parentHere = (): Context | undefined =>
  activeContext() ?? remoteContext(process.env[TRACEPARENT_VARIABLE])
