import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type Connection, RemoteSandbox, type RemoteSandboxOptions } from '@sandagent/remote'
import { onTestFinished } from 'vitest'

/** The `sandagent` command of this repository. */
export const COMMAND = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url))

/** Frames on their way: `>` to the relay, `<` to the host. */
export interface Wire {
  /** The frames of all connections so far. */
  frames: { direction: '>' | '<'; text: string }[]
  /** The processes of the relays, the latest last. */
  relays: number[]
  /** Cuts the connection that is open, as a network does: nothing more arrives on either side. */
  cut(): void
  /**
   * Called with each frame before it goes on, except with heartbeats, which come at any time. If it returns true, the
   * connection is cut, and the frame is lost.
   */
  onFrame: (direction: '>' | '<', text: string) => boolean | undefined
}

export interface PipedSandbox {
  sandbox: RemoteSandbox
  wire: Wire
  workdir: string
}

/** The command of a program elsewhere, by the program. */
export type Through = (argv: readonly [string, ...string[]]) => readonly [string, ...string[]]

interface PipeOptions extends Partial<RemoteSandboxOptions> {
  delayMs?: number | undefined
  /** Default: the program itself, on this machine. */
  through?: Through | undefined
}

/** A sandbox behind a relay, which is a process of its own at the other end of a pipe. */
export async function pipedSandbox({
  delayMs = 0,
  through = (argv) => argv,
  ...options
}: PipeOptions = {}): Promise<PipedSandbox> {
  const workdir = options.workdir ?? join(await tempDir(), 'workdir')
  const wire: Wire = { frames: [], relays: [], cut() {}, onFrame: () => undefined }
  const sandbox = new RemoteSandbox({
    name: 'pipe',
    workdir,
    isolation: 'none',
    relay: [process.execPath, COMMAND],
    connect: (argv) => connectByPipe(through(argv), wire, delayMs),
    ...options,
  })
  onTestFinished(() => sandbox.close())
  return { sandbox, wire, workdir }
}

/** Starts a program here, with a wire in between that a test can watch, slow down and cut. */
function connectByPipe(
  [command, ...args]: readonly [string, ...string[]],
  wire: Wire,
  delayMs = 0,
): Connection {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  if (child.pid !== undefined) wire.relays.push(child.pid)
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  let isCut = false
  const cut = (): void => {
    isCut = true
    child.stdin.destroy()
    child.stdout.destroy()
    stdout.destroy()
  }
  wire.cut = cut
  const carry = (direction: '>' | '<', from: NodeJS.ReadableStream, to: NodeJS.WritableStream): void => {
    let rest = ''
    from.setEncoding('utf8')
    from.on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isCut) return
        wire.frames.push({ direction, text: line })
        const isHeartbeat = /^\{"p[io]ng":/.test(line)
        if (!isHeartbeat && wire.onFrame(direction, line)) return cut()
        const pass = (): void => void (isCut || to.write(`${line}\n`))
        if (delayMs > 0) setTimeout(pass, delayMs / 2)
        else pass()
      }
    })
    from.on('end', () => to.end())
    for (const stream of [from, to]) stream.on('error', () => {})
  }
  carry('>', stdin, child.stdin)
  carry('<', child.stdout, stdout)
  const closed = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code) => resolve(`The relay ended with ${code}`))
  })
  return { stdin, stdout, closed, end: cut }
}
