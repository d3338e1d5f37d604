import {
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  headers as noHeaders,
  PermissionViolationError,
  RequestError,
} from '@nats-io/transport-node'
import { AskError, type Clock, sleep } from '@sandagent/core/internal'

/** JetStream's number for "another message came first". */
const WRONG_LAST_SEQUENCE = 10071

/** How long an answer of the service may take, in milliseconds. */
export const REQUEST_MS = 5000

/** How long a request waits where nobody answers it for the moment, such as while a leader is elected. */
const RETRY_MS = 100

export class JetStreamError extends Error {
  override readonly name = 'JetStreamError'
  readonly number: number
  constructor(message: string, number: number) {
    super(message)
    this.number = number
  }
}

/** Any failure of the service, without names of hosts. */
export function unreachable(what: string, cause: unknown): AskError {
  if (cause instanceof AskError) return cause
  return new AskError('UNREACHABLE', `${what}: ${reasonOf(cause)}`, { cause })
}

/** What `work` resolves to. @throws AskError `UNREACHABLE` */
export async function orUnreachable<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unreachable(what, error)
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof JetStreamError) return `JetStream refuses it (${cause.number})`
  if (
    cause instanceof PermissionViolationError ||
    (cause as Error)?.cause instanceof PermissionViolationError
  )
    return 'the credentials do not allow it'
  return 'NATS cannot be reached now'
}

export interface RequestOptions {
  headers?: MsgHdrs | undefined
  /** How long to wait at most, in milliseconds. */
  patienceMs?: number | undefined
}

export class Service {
  readonly connection: NatsConnection
  readonly clock: Clock

  constructor(connection: NatsConnection, clock: Clock) {
    this.connection = connection
    this.clock = clock
  }

  /** Sends a request. While no server takes it, it is sent again. */
  async request(
    subject: string,
    payload: string | Uint8Array,
    { headers, patienceMs = REQUEST_MS }: RequestOptions = {},
  ): Promise<Msg> {
    const until = this.clock.now() + patienceMs
    for (;;) {
      const timeout = Math.max(1, until - this.clock.now())
      try {
        return await this.connection.request(subject, payload, { timeout, ...(headers && { headers }) })
      } catch (error) {
        const isNotTaken = error instanceof RequestError && error.isNoResponders()
        if (!isNotTaken || this.clock.now() + RETRY_MS > until) throw error
        await sleep(this.clock, RETRY_MS)
      }
    }
  }

  /** A request to JetStream, whose response is JSON. */
  async jetStream<T>(subject: string, body?: unknown, options?: RequestOptions): Promise<T> {
    const payload = body === undefined ? '' : JSON.stringify(body)
    return responseOf<T>(await this.request(`$JS.API.${subject}`, payload, options))
  }

  /**
   * Stores a message.
   *
   * @param options.after the sequence of the last message of this subject; 0 for none. Default: it does not matter
   * @returns its sequence in the stream; `null` if the last message of this subject is another one
   * @throws an error after which nobody knows whether the message was stored
   */
  async publish(
    subject: string,
    payload: string | Uint8Array,
    { headers = noHeaders(), after, ...options }: RequestOptions & { after?: number | undefined } = {},
  ): Promise<number | null> {
    if (after !== undefined) headers.set('Nats-Expected-Last-Subject-Sequence', String(after))
    try {
      return responseOf<{ seq: number }>(await this.request(subject, payload, { ...options, headers })).seq
    } catch (error) {
      if (error instanceof JetStreamError && error.number === WRONG_LAST_SEQUENCE) return null
      throw error
    }
  }
}

function responseOf<T>(message: Msg): T {
  const response = message.json<{ error?: { code?: number; err_code?: number; description?: string } } & T>()
  if (!response.error) return response
  const { err_code, code, description } = response.error
  throw new JetStreamError(description ?? 'an error without a description', err_code ?? code ?? 0)
}
