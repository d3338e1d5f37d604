/** One statement. One with a name is planned once for each connection. */
export interface PostgresQuery {
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: values are as the statement wants them.
  values?: any[]
  name?: string
  query_timeout?: number
}

/** What is used of a pool of the package `pg`. */
export interface PostgresPool {
  /** How its connections are made. The connection that listens is made in the same way. */
  readonly options: object
  // biome-ignore lint/suspicious/noExplicitAny: rows are as the statement says.
  query(query: PostgresQuery): Promise<{ rows: any[] }>
  connect(callback: (error: Error | undefined, connection?: PostgresConnection) => void): void
  end(): Promise<void>
}

/** What is used of a connection of such a pool. */
export interface PostgresConnection {
  // biome-ignore lint/suspicious/noExplicitAny: rows are as the statement says.
  query(query: PostgresQuery): Promise<{ rows: any[] }>
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
