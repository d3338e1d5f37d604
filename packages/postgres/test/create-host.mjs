// The host's end over Postgres, for other processes.
import { createPostgresFleet } from '@sandagent/postgres'
import { createStoreHostChannel } from '@sandagent/store'

/**
 * @param {string} connectionString
 * @param {string} schema
 * @param {string} namespace
 */
export const createHost = (connectionString, schema, namespace) =>
  createStoreHostChannel(createPostgresFleet({ connectionString, schema }).questions(namespace))
