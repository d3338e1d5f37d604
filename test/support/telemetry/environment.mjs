// The variables by which a process of the tests exports its telemetry.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { resolve } = createRequire(import.meta.url)

/** The `sandagent` command. */
export const command = join(dirname(resolve('sandagent/package.json')), 'dist/main.js')

const register = resolve('@sandagent/telemetry/register')

/**
 * @param {string} service what the collector calls the process
 * @param {string} endpoint the address of the collector
 */
export const telemetryOf = (service, endpoint) => ({
  NODE_OPTIONS: `--import=${pathToFileURL(register)}`,
  OTEL_SERVICE_NAME: service,
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_LOGS_EXPORTER: 'none',
  OTEL_METRIC_EXPORT_INTERVAL: '100',
  OTEL_METRIC_EXPORT_TIMEOUT: '100',
})
