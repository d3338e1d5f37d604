export {
  type NatsAccountsOptions,
  type NatsBoundary,
  type NatsUser,
  natsAccounts,
  natsBoundary,
} from './access/boundary.ts'
export { type RunnerAccess, type RunnerAccessOptions, runnerAccess } from './access/runner-access.ts'
export { type RunnerCredentialsOptions, runnerCredentials } from './access/runner-credentials.ts'
export {
  createNatsFleet,
  createNatsQuestions,
  type NatsFleetOptions,
  type NatsQuestionsOptions,
} from './fleet.ts'
export type { NatsConnectOptions } from './service/connect.ts'
