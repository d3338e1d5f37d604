// A stand-in of a collector: it takes OTLP as JSON over HTTP, as the OpenTelemetry collector and Jaeger do, and keeps it.

import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {{ service: string, name: string, kind: number, traceId: string, spanId: string, parentSpanId: string | undefined,
 *   start: number, end: number, attributes: Record<string, unknown>, links: { traceId: string, spanId: string }[],
 *   resource: Record<string, unknown> }} TracedSpan
 *   times in milliseconds since 1970
 * @typedef {{ service: string, name: string, attributes: Record<string, unknown>, value: number, time: number }} MeasuredPoint
 *   the value of a histogram is its count; the time of the collection in milliseconds since 1970
 * @typedef {{ url: string, spans: TracedSpan[], points: MeasuredPoint[], close(): Promise<void> }} Collector
 */

/** @returns {Promise<Collector>} */
export async function startCollector() {
  /** @type {TracedSpan[]} */
  const spans = []
  /** @type {MeasuredPoint[]} */
  const points = []
  const server = createServer(async (request, response) => {
    // Pages of all origins may send.
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') return void response.end()
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    if (request.url === '/v1/traces') spans.push(...body.resourceSpans.flatMap(spansIn))
    if (request.url === '/v1/metrics') points.push(...body.resourceMetrics.flatMap(pointsIn))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    points,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** @param {any} resourceSpans @returns {TracedSpan[]} */
function spansIn({ resource, scopeSpans }) {
  const ofResource = valuesOf(resource.attributes)
  return scopeSpans
    .flatMap((/** @type {any} */ scope) => scope.spans)
    .map((/** @type {any} */ span) => ({
      service: String(ofResource['service.name']),
      name: span.name,
      kind: span.kind,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId || undefined,
      start: Number(span.startTimeUnixNano) / 1e6,
      end: Number(span.endTimeUnixNano) / 1e6,
      attributes: valuesOf(span.attributes),
      links: span.links ?? [],
      resource: ofResource,
    }))
}

/** @param {any} resourceMetrics @returns {MeasuredPoint[]} */
function pointsIn({ resource, scopeMetrics }) {
  const service = String(valuesOf(resource.attributes)['service.name'])
  return scopeMetrics
    .flatMap((/** @type {any} */ scope) => scope.metrics)
    .flatMap((/** @type {any} */ { name, sum, gauge, histogram }) =>
      (sum ?? gauge ?? histogram).dataPoints.map((/** @type {any} */ point) => ({
        service,
        name,
        attributes: valuesOf(point.attributes),
        value: Number(point.asInt ?? point.asDouble ?? point.count),
        time: Number(point.timeUnixNano) / 1e6,
      })),
    )
}

/** @param {{ key: string, value: Record<string, unknown> }[]} attributes @returns {Record<string, unknown>} */
const valuesOf = (attributes = []) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      'intValue' in value ? Number(value.intValue) : Object.values(value)[0],
    ]),
  )
