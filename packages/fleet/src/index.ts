export type { FleetPlace, FleetQuestion, FleetStore, RunRegistry, StoredRun } from './fleet-store.ts'
export { createHttpRunnerChannel, type HttpRunnerChannelOptions } from './http/http-runner-channel.ts'
export { createMemoryFleet } from './memory-fleet.ts'
