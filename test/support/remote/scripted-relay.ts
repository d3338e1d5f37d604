import { PassThrough } from 'node:stream'
import type { Clock } from '@sandagent/core'
import { type Connection, RemoteSandbox } from '@sandagent/remote'
import { onTestFinished } from 'vitest'

export const HELLO = '{"sandagent":"relay","protocol":1,"version":"1","workdir":"/w"}\n'

interface Request {
  id: number
  call: string
  args: Record<string, unknown>
}

/** How a relay that a test plays answers: with raw text. */
export type Reply = (request: Request, say: (text: string) => void) => void

/** A sandbox whose relay is played by a test. Every connection begins with `greeting`. */
export function scriptedSandbox(
  reply: Reply,
  {
    greeting = HELLO,
    clock,
    onPing = () => {},
  }: { greeting?: string; clock?: Clock; onPing?: (say: (text: string) => void) => void } = {},
): { sandbox: RemoteSandbox; connections: Connection[] } {
  const connections: Connection[] = []
  const connect = (): Connection => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const say = (text: string): void => void (stdout.writable && stdout.write(text))
    let rest = ''
    stdin.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const request = JSON.parse(line)
        if (request.call !== undefined) reply(request, say)
        if (request.ping) onPing(say)
      }
    })
    say(greeting)
    const closed = new Promise<undefined>((resolve) => stdout.once('close', () => resolve(undefined)))
    const connection = { stdin, stdout, closed }
    connections.push(connection)
    return connection
  }
  const sandbox = new RemoteSandbox({ name: 'scripted', workdir: '/w', relay: ['relay'], connect, clock })
  onTestFinished(() => sandbox.close())
  return { sandbox, connections }
}

/** A reply with this value. */
export const valued =
  (value: unknown): Reply =>
  ({ id }, say) =>
    say(`${JSON.stringify({ id, value })}\n`)
