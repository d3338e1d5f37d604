import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import type { Connect } from '@sandagent/remote'

export interface DelayedRelay {
  connect: Connect
  /** The messages so far, by their direction. */
  sent: { toRelay: string[]; toHost: string[] }
}

/**
 * Starts relays with a wire that takes half of `roundTripMs` each way.
 *
 * @param through the command of a program elsewhere, by the program; default: the program itself, on this machine
 */
export function delayedRelay(
  roundTripMs: number,
  through: (argv: readonly [string, ...string[]]) => readonly [string, ...string[]] = (argv) => argv,
): DelayedRelay {
  const sent: DelayedRelay['sent'] = { toRelay: [], toHost: [] }
  const carry = (from: NodeJS.ReadableStream, to: NodeJS.WritableStream, messages: string[]): void => {
    let rest = ''
    from.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      messages.push(...lines)
      if (lines.length > 0) setTimeout(() => to.write(`${lines.join('\n')}\n`), roundTripMs / 2)
    })
    from.on('end', () => to.end())
  }
  const connect: Connect = (argv) => {
    const [program, ...args] = through(argv)
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    carry(stdin, child.stdin, sent.toRelay)
    carry(child.stdout, stdout, sent.toHost)
    const closed = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)))
    return { stdin, stdout, closed, end: () => child.stdin.end() }
  }
  return { connect, sent }
}
