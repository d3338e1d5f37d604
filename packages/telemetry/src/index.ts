export { registerTelemetry, type TelemetryOptions } from './register-telemetry.ts'
