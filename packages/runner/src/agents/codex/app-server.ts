import { isObject } from '@sandagent/core/internal'

/** The other end of Codex' app server: JSON-RPC, one message a line. */
export interface AppServer {
  /** @throws Error with what the app server says. */
  request(method: string, params: object): Promise<unknown>
  notify(method: string): void
  /** Reads one line. It resolves when its notification is dealt with; a request is answered later. */
  take(line: string): Promise<void>
  /** No more lines come: fails all that waits. */
  end(error: Error): void
}

export type RequestId = string | number

export interface AppServerOptions {
  write: (line: string) => void
  /** Answers a request of the app server. Its error goes back as one. */
  onRequest: (method: string, params: unknown, id: RequestId) => Promise<object>
  onNotification: (method: string, params: unknown) => Promise<void>
  /** Called for lines that are no message. */
  onWarning: (message: string) => void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

export function createAppServer({
  write,
  onRequest,
  onNotification,
  onWarning,
}: AppServerOptions): AppServer {
  const waiting = new Map<unknown, Waiting>()
  let count = 0
  let ended: Error | undefined
  const send = (message: object): void => {
    if (!ended) write(`${JSON.stringify(message)}\n`)
  }

  const answer = async (method: string, params: unknown, id: RequestId): Promise<void> => {
    try {
      send({ id, result: await onRequest(method, params, id) })
    } catch (error) {
      const { code, message } = error as Error & { code?: unknown }
      send({ id, error: { code: typeof code === 'number' ? code : -32603, message } })
    }
  }

  const settle = ({ id, result, error }: Record<string, unknown>): void => {
    const there = waiting.get(id)
    waiting.delete(id)
    const text = isObject(error) ? String(error.message) : String(error)
    if (error === undefined) there?.resolve(result)
    else there?.reject(new Error(`Codex: ${text}`))
  }

  return {
    async request(method, params) {
      if (ended) throw ended
      const id = ++count
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send({ id, method, params })
      })
    },
    notify: (method) => send({ method }),
    async take(line) {
      const message = messageIn(line)
      if (!message) return onWarning(`Codex wrote a line that is no message: ${line.slice(0, 200)}`)
      const { id, method, params } = message
      if (typeof method !== 'string') return settle(message)
      if (typeof id === 'string' || typeof id === 'number') return void answer(method, params, id)
      await onNotification(method, params)
    },
    end(error) {
      ended = error
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  }
}

function messageIn(line: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isObject(message) ? message : undefined
  } catch {
    return undefined
  }
}
