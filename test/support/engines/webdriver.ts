import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@sandagent/fixtures/listen.ts'
import { vi } from 'vitest'

/** Sends a command of the W3C's WebDriver to a session; resolves to its value. */
type Command = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>

/** A session of a WebDriver server. */
export interface Session {
  command: Command
  /** Closes the browser and the server. */
  close(): Promise<void>
}

/**
 * Starts a WebDriver server and opens one session, with a browser of its own.
 *
 * @param program the server's command; it takes `--port`
 * @param env variables beside those of this process
 */
export async function openSession(program: string, env: Record<string, string>): Promise<Session> {
  const port = await freePort()
  const server = spawn(program, [`--port=${port}`], { env: { ...process.env, ...env }, stdio: 'ignore' })
  const exit = once(server, 'exit')
  const kill = (): boolean => server.kill()
  process.once('exit', kill)
  const origin = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(`${origin}/status`))
  const { sessionId } = (await send(`${origin}/session`, 'POST', { capabilities: {} })) as {
    sessionId: string
  }
  const session = `${origin}/session/${sessionId}`
  return {
    command: (method, path, body) => send(`${session}/${path}`, method, body),
    async close() {
      await send(session, 'DELETE')
      process.off('exit', kill)
      kill()
      await exit
    },
  }
}

async function send(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`)
  return value
}

/** A key that goes down or up, as WebDriver writes it. */
export interface KeyAction {
  type: 'keyDown' | 'keyUp'
  value: string
}

export const keyDown = (key: string): KeyAction => ({ type: 'keyDown', value: KEYS[key] ?? key })
export const keyUp = (key: string): KeyAction => ({ type: 'keyUp', value: KEYS[key] ?? key })

/** WebDriver's characters for keys that write none. */
const KEYS: Record<string, string> = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Shift: '\ue008',
  Control: '\ue009',
  Alt: '\ue00a',
  Escape: '\ue00c',
  Space: ' ',
  End: '\ue010',
  Home: '\ue011',
  ArrowLeft: '\ue012',
  ArrowUp: '\ue013',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
}
