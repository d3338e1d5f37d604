import { context, type HrTime } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'
import { registerTelemetry } from '../src/index.ts'

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

/** The telemetry of one test, by the SDK of OpenTelemetry. */
export function measured() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 3_600_000,
  })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const unregister = registerTelemetry({ tracerProvider, meterProvider })
  onTestFinished(async () => {
    unregister()
    await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()])
  })
  const spans = () => exporter.getFinishedSpans()
  return {
    tracer: tracerProvider.getTracer('test'),
    tracerProvider,
    unregister,
    spans,
    /** The one span of this name. */
    span(name: string): ReadableSpan {
      const found = spans().filter((span) => span.name === name)
      if (found.length !== 1 || !found[0])
        throw new Error(`${found.length} spans are called ${name}, among ${spans().map((each) => each.name)}`)
      return found[0]
    },
    /** The points of a metric: attributes and value. */
    async points(name: string): Promise<[object, DataPoint<unknown>['value']][]> {
      metricExporter.reset()
      await meterProvider.forceFlush()
      return metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap(({ dataPoints }) => dataPoints as DataPoint<unknown>[])
        .map(({ attributes, value }) => [attributes, value])
    },
  }
}

/** Milliseconds since 1970. */
export const msOf = ([seconds, nanos]: HrTime): number => seconds * 1000 + nanos / 1e6

/** The id of the span above. */
export const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId
