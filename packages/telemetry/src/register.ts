import { NodeSDK, resources } from '@opentelemetry/sdk-node'
import { registerTelemetry } from './register-telemetry.ts'

// For `node --import @sandagent/telemetry/register`: starts the SDK as the variables OTEL_… say.
// The arguments of a process may hold a prompt or an answer, so the detector that exports them is left out by default.
const { envDetector, hostDetector } = resources
const sdk = new NodeSDK(
  process.env.OTEL_NODE_RESOURCE_DETECTORS ? {} : { resourceDetectors: [envDetector, hostDetector] },
)
sdk.start()
registerTelemetry()
// What is not exported yet goes out when the process has nothing else to do.
process.once('beforeExit', () => void sdk.shutdown().catch(() => {}))
