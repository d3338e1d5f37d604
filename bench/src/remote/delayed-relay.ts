import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import type { Connect } from '@sandagent/sdk/remote'

export interface DelayedRelay {
  connect: Connect
  /** The messages so far, by their direction. */
  sent: { toRelay: string[]; toHost: string[] }
}

/** Starts relays on this machine, with a wire that takes half of `roundTripMs` each way. */
export function delayedRelay(roundTripMs: number): DelayedRelay {
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
  const connect: Connect = ([program, ...args]) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    carry(stdin, child.stdin, sent.toRelay)
    carry(child.stdout, stdout, sent.toHost)
    const closed = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)))
    return { stdin, stdout, closed, end: () => child.stdin.end() }
  }
  return { connect, sent }
}
