import { backOffMs, type Clock, sleep } from '@sandagent/core/internal'
import pg from 'pg'
import { STATEMENT_TIMEOUT_MS } from '../database/database.ts'

/** The pauses before the connection is made again, and before the table is read again. */
export const RECONNECT = [100, 5000] as const

export interface ListenOptions {
  /** How connections are made: the options of the pool, as they are. Its password is hidden from copies. */
  connection: object
  clock: Clock
  /**
   * Called when the connection is there, also after it was lost. It listens to nothing then, and what was notified is not
   * known.
   */
  onUp(): void
  onNotification(text: string): void
  /** Called when it cannot listen, or no longer. It goes on trying. */
  onDown(error: unknown): void
}

/** One connection that listens, until the signal aborts. A lost one is replaced. */
export class ListenConnection {
  /** Resolves when it is connected, or could not be at the first attempt. */
  readonly tried: Promise<void>
  readonly #options: ListenOptions
  #client: pg.Client | null = null
  #channels: ReadonlySet<string> = new Set()

  constructor(options: ListenOptions, signal: AbortSignal) {
    this.#options = options
    this.tried = new Promise((resolve) => void this.#run(signal, resolve))
  }

  get isUp(): boolean {
    return this.#client !== null
  }

  /** Listens to these channels, and to no others. */
  async listenTo(channels: ReadonlySet<string>): Promise<void> {
    const before = this.#channels
    const more = [...channels].filter((channel) => !before.has(channel))
    const less = [...before].filter((channel) => !channels.has(channel))
    const statements = [
      ...more.map((name) => `LISTEN "${name}"`),
      ...less.map((name) => `UNLISTEN "${name}"`),
    ]
    if (statements.length > 0 && (await this.query(statements.join(';'), []))) this.#channels = channels
  }

  /** Runs a statement, and so finds out whether the connection still works. `null`: it does not listen now. */
  async query(text: string, values: unknown[]): Promise<unknown[] | null> {
    const client = this.#client
    if (!client) return null
    try {
      const query = { text, values, query_timeout: STATEMENT_TIMEOUT_MS }
      // Several statements have a list of results.
      return (await client.query(query)).rows ?? []
    } catch (error) {
      destroy(client)
      throw error
    }
  }

  async #run(signal: AbortSignal, onTried: () => void): Promise<void> {
    const { clock, onDown, onUp } = this.#options
    let failures = 0
    const onListening = (): void => {
      failures = 0
      onTried()
      onUp()
    }
    while (!signal.aborted) {
      const error = await this.#listen(signal, onListening)
      onTried()
      if (signal.aborted) return
      failures += 1
      onDown(error)
      await sleep(clock, backOffMs(failures, ...RECONNECT), signal)
    }
    onTried()
  }

  /** Resolves when the connection has ended, to the reason. */
  async #listen(signal: AbortSignal, onListening: () => void): Promise<unknown> {
    const { connection, clock, onNotification } = this.#options
    const client = new pg.Client(connection)
    const end = (): void => destroy(client)
    const cancelTimer = clock.after(STATEMENT_TIMEOUT_MS, end)
    signal.addEventListener('abort', end, { once: true })
    try {
      return await new Promise<unknown>((resolve, reject) => {
        client.on('end', () => resolve(new Error('The connection was closed')))
        client.on('error', reject)
        client.on('notification', ({ payload = '' }) => onNotification(payload))
        const start = async (): Promise<void> => {
          await client.connect()
          cancelTimer()
          this.#client = client
          this.#channels = new Set()
          onListening()
        }
        start().catch(reject)
      })
    } catch (error) {
      return error
    } finally {
      this.#client = null
      cancelTimer()
      signal.removeEventListener('abort', end)
      end()
    }
  }
}

/** Ends a connection at once. A polite end waits for the server, which may not reply. */
const destroy = (client: pg.Client): void =>
  // The types of `pg` do not have the connection.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
