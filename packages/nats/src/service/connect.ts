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

export interface Connector<T> {
  /** @throws AskError `UNREACHABLE` */
  get(): Promise<T>
  close(): Promise<void>
}

/**
 * One connection, opened when it is first needed. An own one that has ended for good is opened again.
 *
 * @param prepare what else is to be done before the first use; after a failure it is done again
 */
export function createConnector<T extends { close(): void }>(
  options: NatsConnectOptions,
  prepare: (service: Service) => Promise<T>,
): Connector<T> {
  const { connection: given, clock = systemClock } = options
  if ((given === undefined) === (options.servers === undefined))
    throw new AskError('INVALID_REQUEST', 'Give NATS either a connection or servers')
  let connection: NatsConnection | undefined
  let prepared: Promise<T> | undefined
  let isClosed = false

  const closePrepared = async (): Promise<void> => {
    // Whoever waited for it was told why it failed.
    const ended = await prepared?.catch(() => null)
    ended?.close()
  }

  /** A connection ends for good when its credentials have expired, for example. Then everything begins again. */
  const open = async (): Promise<NatsConnection> => {
    const own = await connectTo(options)
    void own.closed().then(async () => {
      if (isClosed) return
      const closing = closePrepared()
      connection = undefined
      prepared = undefined
      await closing
    })
    return own
  }

  const begin = async (): Promise<T> => {
    connection ??= given ?? (await open())
    return prepare(new Service(connection, clock))
  }

  return {
    get() {
      if (isClosed)
        return Promise.reject(new AskError('UNREACHABLE', 'This fleet was closed by close(). Make a new one'))
      if (prepared) return prepared
      const begun = begin().catch((error: unknown) => {
        if (prepared === begun) prepared = undefined
        throw unreachable('The fleet’s questions cannot be reached', error)
      })
      prepared = begun
      return begun
    },
    async close() {
      isClosed = true
      await closePrepared()
      if (!given) await connection?.close()
    },
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
    // A trace for each request takes longer than all else of it.
    noAsyncTraces: true,
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(inboxPrefix !== undefined && { inboxPrefix }),
  })
}
