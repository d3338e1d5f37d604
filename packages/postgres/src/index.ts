export type { PostgresConnection, PostgresPool } from './database/pool.ts'
export { createPostgresFleet, type PostgresFleetOptions } from './postgres-fleet.ts'
