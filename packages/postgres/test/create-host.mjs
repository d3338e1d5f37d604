// The host's end over Postgres, for other processes.

import { createStoreHostChannel } from '@sandagent/fleet'
import { createPostgresFleet } from '@sandagent/postgres'

/**
 * @param {string} connectionString
 * @param {string} schema
 * @param {string} namespace
 */
export const createHost = (connectionString, schema, namespace) =>
  createStoreHostChannel(createPostgresFleet({ connectionString, schema }).questions(namespace))
