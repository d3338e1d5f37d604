import { NodeSDK } from '@opentelemetry/sdk-node'
import { registerTelemetry } from './register-telemetry.ts'

// For `node --import @sandagent/telemetry/register`: starts the SDK as the variables OTEL_… say.
const sdk = new NodeSDK()
sdk.start()
registerTelemetry()
// What is not exported yet goes out when the process has nothing else to do.
process.once('beforeExit', () => void sdk.shutdown().catch(() => {}))
