export type { FleetPlace, FleetQuestion, FleetStore, RunRegistry, StoredRun } from './fleet-store.ts'
export {
  createHttpQuestions,
  createHttpRunnerChannel,
  type HttpQuestionsOptions,
} from './http/http-questions.ts'
export { createMemoryFleet } from './memory-fleet.ts'
export { endOf, type LogPiece, type RunLogs, type RunStart } from './run-logs.ts'
