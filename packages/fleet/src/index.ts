export {
  createStoreHostChannel,
  type HostQuestions,
  type StoreHostChannelOptions,
} from './channel/host-channel.ts'
export {
  createStoreRunnerChannel,
  type RunnerQuestions,
  type StoreRunnerChannelOptions,
} from './channel/runner-channel.ts'
export type { FleetPlace, FleetQuestion, FleetStore, RunRegistry, StoredRun } from './fleet-store.ts'
export {
  createHttpQuestions,
  createHttpRunnerChannel,
  type HttpQuestionsOptions,
} from './http/http-questions.ts'
export { createMemoryFleet } from './memory-fleet.ts'
export type {
  ListedQuestion,
  ListPlace,
  QuestionStore,
  RecordFacts,
  StoredQuestion,
  StoredText,
  StoreListOptions,
  StoreSubscribeOptions,
} from './question-store.ts'
export { endOf, type LogPiece, type RunLogs, type RunStart } from './run-logs.ts'
