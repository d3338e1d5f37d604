// The host's end over Postgres, for other processes.

import { createHostChannel } from '@sandagent/core/store'
import { createPostgresFleet } from '@sandagent/postgres'

/**
 * @param {string} connectionString
 * @param {string} schema
 * @param {string} namespace
 */
export const createHost = (connectionString, schema, namespace) =>
  createHostChannel(createPostgresFleet({ connectionString, schema }).questions(namespace))
