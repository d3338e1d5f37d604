// The host's end over Postgres, for other processes.
import { createPostgresFleet } from '@sandagent/postgres'
import { createStoreHostChannel } from '@sandagent/store'

/**
 * @param {string} connectionString
 * @param {string} schema
 */
export const createHost = (connectionString, schema) =>
  createStoreHostChannel(createPostgresFleet({ connectionString, schema }).questions('n1'))
