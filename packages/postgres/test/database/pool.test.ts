import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { connectionOf, type PostgresConnection, type PostgresPool } from '../../src/database/pool.ts'

it('a connection that breaks in the moment of its making is no uncaught error', async () => {
  const connection = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }), release() {} })
  const pool: PostgresPool = {
    options: {},
    query: connection.query,
    connect(callback) {
      callback(undefined, connection satisfies PostgresConnection)
      connection.emit('error', new Error('terminating connection'))
    },
    end: async () => {},
  }
  expect(await connectionOf(pool)).toBe(connection)
})
