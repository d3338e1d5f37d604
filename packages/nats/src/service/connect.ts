import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { AskError, type Clock, type OnWarning, type OptionNames, systemClock } from '@sandagent/core/internal'
import { Service, unreachable } from './service.ts'

/** How to reach NATS: a connection, or where the servers are. */
export interface NatsConnectOptions {
  /** A connection of the caller, who closes it. Give it `inboxPrefix` where its permissions ask for that. */
  connection?: NatsConnection | undefined
  /** Addresses such as `nats://one:4222`, or `tls://…`. */
  servers?: string | readonly string[] | undefined
  /** The content of a credentials file: a user's JWT and its key. */
  credentials?: string | undefined
  user?: string | undefined
  password?: string | undefined
  /** Options of a connection that this package opens. Default `_INBOX`. */
  inboxPrefix?: string | undefined
  /** The bucket of all questions. Default `sandagent`. */
  bucket?: string | undefined
  onWarning?: OnWarning | undefined
  clock?: Clock | undefined
}

export const CONNECT_OPTIONS: OptionNames<NatsConnectOptions> = {
  connection: true,
  servers: true,
  credentials: true,
  user: true,
  password: true,
  inboxPrefix: true,
  bucket: true,
  onWarning: 'function',
  clock: 'clock',
}

/** One connection, opened when it is first needed. An own one that has ended for good is opened again. */
export class Connector<T extends { close(): void }> {
  readonly #options: NatsConnectOptions
  readonly #prepare: (service: Service) => Promise<T>
  readonly #isOwn: boolean
  #prepared: Promise<T> | undefined
  #connection: NatsConnection | undefined
  #isClosed = false

  /** @param prepare what else is to be done before the first use; after a failure it is done again */
  constructor(options: NatsConnectOptions, prepare: (service: Service) => Promise<T>) {
    if ((options.connection === undefined) === (options.servers === undefined))
      throw new AskError('INVALID_REQUEST', 'Give NATS either a connection or servers')
    this.#options = options
    this.#prepare = prepare
    this.#isOwn = options.connection === undefined
  }

  /** @throws AskError `UNREACHABLE` */
  get(): Promise<T> {
    if (this.#isClosed)
      return Promise.reject(new AskError('UNREACHABLE', 'This fleet was closed by close(). Make a new one'))
    this.#prepared ??= this.#begin()
    return this.#prepared
  }

  #begin(): Promise<T> {
    const prepared = this.#open().catch((error: unknown) => {
      if (this.#prepared === prepared) this.#prepared = undefined
      throw unreachable('The fleet’s questions cannot be reached', error)
    })
    return prepared
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const prepared = await this.#prepared?.catch(() => null)
    prepared?.close()
    if (this.#isOwn) await this.#connection?.close()
  }

  async #open(): Promise<T> {
    this.#connection ??= this.#options.connection ?? (await this.#connect())
    return this.#prepare(new Service(this.#connection, this.#options.clock ?? systemClock))
  }

  /** A connection ends for good when its credentials have expired, for example. Then everything begins again. */
  async #connect(): Promise<NatsConnection> {
    const connection = await connectTo(this.#options)
    void connection.closed().then(async () => {
      if (this.#isClosed) return
      const prepared = this.#prepared
      this.#connection = undefined
      this.#prepared = undefined
      const ended = await prepared?.catch(() => null)
      ended?.close()
    })
    return connection
  }
}

async function connectTo({
  servers,
  credentials,
  user,
  password,
  inboxPrefix,
}: NatsConnectOptions): Promise<NatsConnection> {
  return connect({
    servers: typeof servers === 'string' ? servers : [...(servers ?? [])],
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 10_000,
    maxPingOut: 2,
    timeout: 5000,
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(inboxPrefix !== undefined && { inboxPrefix }),
  })
}
