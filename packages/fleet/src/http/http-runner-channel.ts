import {
  AskError,
  backgroundClock,
  backOffMs,
  type Clock,
  checkOptions,
  codesOf,
  type OptionNames,
  PIECE_BYTES,
  type RunnerChannel,
  readServerEvents,
  sleep,
  stoppable,
  systemClock,
} from '@sandagent/core/internal'
import {
  createRunnerChannel,
  type RunnerChannelOptions,
  type RunnerQuestions,
  type StoredQuestion,
} from '@sandagent/core/store'
import {
  FILE_SIZE_HEADER,
  NEW_TOKEN_HEADER,
  parseChanges,
  parseQuestion,
  parseQuestions,
  parseRefusal,
} from './http-protocol.ts'

export interface HttpRunnerChannelOptions extends RunnerChannelOptions {
  /** Where a host serves `createRunnerHandler`, such as `https://agents.example.com/api/runner`. */
  url: string
  /** Made by `startRun`, or by `createRunnerToken`. The host renews it over the connection. */
  token: string
  fetch?: typeof fetch | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<HttpRunnerChannelOptions> = {
  url: true,
  token: 'secret',
  onWarning: 'function',
  fetch: 'function',
  clock: 'clock',
}

/** How long a request may take, in milliseconds. */
const REQUEST_MS = 15_000

/** How long a request is tried again while the host is out of reach. */
const RETRY_MS = 30_000
const RETRY = [100, 3000] as const

/** The host sends something every 15 seconds. A stream that is silent for longer is dead. */
const SILENCE_MS = 40_000

/** How often the host is asked for a new token. A token lives much longer. */
const RENEW_MS = 60 * 60_000

/** How many ids one request asks for. */
const IDS_AT_ONCE = 500

/** The runner's end over HTTP. It asks any host of its fleet, and needs no database. */
export function createHttpRunnerChannel(options: HttpRunnerChannelOptions): RunnerChannel {
  checkOptions('createHttpRunnerChannel', options, NAMES)
  return createRunnerChannel(httpQuestions(options), { onWarning: options.onWarning })
}

/** The questions of one run: the runner's half of a store over HTTP. */
export function httpQuestions({
  url,
  token: firstToken,
  fetch: send = fetch,
  clock = systemClock,
}: HttpRunnerChannelOptions): Required<RunnerQuestions> {
  const base = url.endsWith('/') ? url.slice(0, -1) : url
  let token = firstToken

  const request = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` }
    let response: Response
    try {
      response = await send(`${base}/${path}`, { ...init, headers })
    } catch (cause) {
      throw new AskError(
        'UNREACHABLE',
        `The host at ${base} cannot be reached. Look at the address, and whether the host runs`,
        { cause },
      )
    }
    token = response.headers.get(NEW_TOKEN_HEADER) ?? token
    if (response.ok || response.status === 412) return response
    throw await errorOf(response, base)
  }

  /** Sends again while the host is out of reach: each request can be repeated. */
  const call = async <T>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const start = clock.now()
    for (let failures = 1; ; failures++) {
      try {
        return await read(await request(path, { ...init, signal: AbortSignal.timeout(REQUEST_MS) }))
      } catch (error) {
        const isLost = !(error instanceof AskError) || error.code === 'UNREACHABLE'
        if (isLost && clock.now() - start < RETRY_MS) {
          await sleep(clock, backOffMs(failures, ...RETRY))
          continue
        }
        throw error instanceof AskError ? error : lost(base, error)
      }
    }
  }

  const readSome = async (toolCallIds: readonly string[]): Promise<StoredQuestion[]> => {
    const body = JSON.stringify({ toolCallIds })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    try {
      return await call('questions', init, async (response) => parseQuestions(await response.text()))
    } catch (error) {
      const middle = Math.ceil(toolCallIds.length / 2)
      if (!(error instanceof AskError && error.code === 'TOO_LARGE') || middle === toolCallIds.length)
        throw error
      return [
        ...(await readSome(toolCallIds.slice(0, middle))),
        ...(await readSome(toolCallIds.slice(middle))),
      ]
    }
  }

  // A runner may wait for days without a request, and each reply can bring a new token.
  const background = clock === systemClock ? backgroundClock : clock
  const renew = (): void => {
    background.after(RENEW_MS, () => {
      // A token that is not renewed now is renewed the next time. Real requests tell what fails.
      readSome([]).catch(() => {})
      renew()
    })
  }
  renew()

  return {
    async read(toolCallIds) {
      const found: StoredQuestion[] = []
      for (let from = 0; from < toolCallIds.length; from += IDS_AT_ONCE)
        found.push(...(await readSome(toolCallIds.slice(from, from + IDS_AT_ONCE))))
      return found
    },

    writeRecord(_toolCallId, text, { expected }) {
      const condition: Record<string, string> =
        expected === null ? { 'if-none-match': '*' } : { 'if-match': JSON.stringify(expected) }
      const init = {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...condition },
        body: text,
      }
      return call('records', init, async (response) => {
        if (response.status !== 412) return parseQuestion(await response.text())
        await response.body?.cancel()
        return null
      })
    },

    subscribe: (signal) =>
      stoppable(signal, async function* (stopped) {
        const silence = new AbortController()
        let cancelTimer = clock.after(SILENCE_MS, () => silence.abort())
        const onBytes = (): void => {
          cancelTimer()
          cancelTimer = clock.after(SILENCE_MS, () => silence.abort())
        }
        try {
          const { body } = await request('changes', {
            headers: { accept: 'text/event-stream' },
            signal: AbortSignal.any([stopped, silence.signal]),
          })
          if (!body) return
          for await (const { data } of readServerEvents(body, onBytes)) if (data) yield parseChanges(data)
        } catch (error) {
          if (stopped.aborted) return
          throw error instanceof AskError ? error : lost(base, error)
        } finally {
          cancelTimer()
        }
      }),

    async readFile(toolCallId, name, offset) {
      const place = new URLSearchParams({ toolCallId, name, offset: String(offset) })
      try {
        return await call(`files?${place}`, {}, async (response) => ({
          size: Number(response.headers.get(FILE_SIZE_HEADER)),
          bytes: await firstBytes(response),
        }))
      } catch (error) {
        if (error instanceof AskError && error.code === 'NOT_FOUND') return null
        throw error
      }
    },
  }
}

/** The bytes of a response, and no more than a piece of a file may have. */
async function firstBytes({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    parts.push(part)
    length += part.length
    if (length >= PIECE_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, PIECE_BYTES)
}

const lost = (base: string, cause: unknown): AskError =>
  new AskError('UNREACHABLE', `The connection to the host at ${base} was lost. It is made again`, { cause })

async function errorOf(response: Response, base: string): Promise<AskError> {
  const { status } = response
  const text = await firstBytes(response).then(String, () => '')
  const said = parseRefusal(text) ?? `it replied with status ${status}`
  // Whoever has sent too much at once, to a proxy for example, may send it again later.
  const [code = 'UNREACHABLE'] = status === 429 ? [] : codesOf(status)
  return new AskError(code, `The host at ${base} refused this: ${said}`)
}
