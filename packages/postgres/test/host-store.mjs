// The host's half of a store over Postgres, for other processes.

import { createPostgresFleet } from '@sandagent/postgres'

/**
 * @param {string} connectionString
 * @param {string} schema
 * @param {string} namespace
 */
export const hostStore = (connectionString, schema, namespace) =>
  createPostgresFleet({ connectionString, schema }).questions(namespace)
