import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import { addObserver, checkOptions } from '@sandagent/core/internal'
import { metricsObserver } from './metrics/metrics-observer.ts'
import { reportCounts } from './metrics/report-counts.ts'
import { spanObserver } from './spans/span-observer.ts'

export interface TelemetryOptions {
  /** Makes the spans. Default: the one that is registered with `@opentelemetry/api`. */
  tracerProvider?: TracerProvider | undefined
  /** Makes the metrics. Default: the one that is registered with `@opentelemetry/api` by now. */
  meterProvider?: MeterProvider | undefined
}

/** The name of everything that this package measures, as OpenTelemetry's instrumentation scope. */
const SCOPE = '@sandagent/telemetry'

/**
 * Makes spans and metrics of the questions, answers and runs of this process, until the returned function is called. Call it
 * once, after the SDK of OpenTelemetry has started. No text of a question or an answer gets into them.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist.
 */
export function registerTelemetry(options: TelemetryOptions = {}): () => void {
  checkOptions('registerTelemetry', options, { tracerProvider: true, meterProvider: true })
  const { tracerProvider = trace, meterProvider = metrics } = options
  const meter = meterProvider.getMeter(SCOPE)
  const { counts, stop } = reportCounts(meter)
  const ends = [
    addObserver(spanObserver(tracerProvider.getTracer(SCOPE))),
    addObserver({ ...metricsObserver(meter), counts }),
    stop,
  ]
  return () => {
    for (const end of ends) end()
  }
}
