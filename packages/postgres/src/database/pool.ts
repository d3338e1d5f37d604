/** What is used of a pool of the package `pg`. */
export interface PostgresPool {
  /** How its connections are made. The connection that listens is made in the same way. */
  readonly options: object
  // biome-ignore lint/suspicious/noExplicitAny: rows are as the statement says.
  query(query: { text: string; values?: any[]; query_timeout?: number }): Promise<{ rows: any[] }>
  connect(callback: (error: Error | undefined, connection?: PostgresConnection) => void): void
  end(): Promise<void>
}

/** What is used of a connection of such a pool. */
export interface PostgresConnection {
  // biome-ignore lint/suspicious/noExplicitAny: rows are as the statement says.
  query(query: { text: string; values?: any[]; query_timeout?: number }): Promise<{ rows: any[] }>
  on(event: 'error', listener: (error: Error) => void): unknown
  release(error?: Error | boolean): void
}

/**
 * Takes a connection out of the pool. A connection that breaks at once tells so before a promise could resolve, and Node ends a
 * process that does not listen for that.
 */
export const connectionOf = (pool: PostgresPool): Promise<PostgresConnection> =>
  new Promise((resolve, reject) => {
    pool.connect((error, connection) => {
      if (!connection) return reject(error)
      // The statement under way fails too.
      connection.on('error', () => {})
      resolve(connection)
    })
  })
