import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { AskError } from '@sandagent/core'
import type { Connect } from '@sandagent/remote'
import { onTestFinished, vi } from 'vitest'

/** A container without an engine: a PID namespace. When its first process is killed, the kernel kills all others. */
export interface Container {
  connect: Connect
  /** The command that runs a program inside. */
  enter(argv: readonly [string, ...string[]]): [string, ...string[]]
  /** Kills everything inside. The files survive. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops all programs inside where they are. */
  freeze(): Promise<void>
  /** Lets them go on. */
  thaw(): Promise<void>
  /** How often it was started again, or went on. */
  restarts(): number
  /** How often somebody tried to get in while it was stopped. */
  disturbed(): number
}

/** Only root may make namespaces everywhere. */
export const canContain = process.platform === 'linux' && process.getuid?.() === 0

/** A container for as long as the test runs. */
export async function container(): Promise<Container> {
  const started = await startContainer()
  onTestFinished(started.stop)
  return started
}

export async function startContainer(): Promise<Container> {
  let first: { maker: ChildProcess; pid: number } | null = null
  let isFrozen = false
  let restarts = -1
  let disturbed = 0
  const start = async (): Promise<void> => {
    if (first) return
    restarts++
    const inside = ['sh', '-c', 'echo up; read -r _']
    const maker = spawn('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', ...inside], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // The line comes from inside, so the namespace is there.
    await once(maker.stdout, 'data')
    const children = await readFile(`/proc/${maker.pid}/task/${maker.pid}/children`, 'utf8')
    first = { maker, pid: Number.parseInt(children, 10) }
  }
  const stop = async (): Promise<void> => {
    const stopped = first
    first = null
    if (!stopped) return
    stopped.maker.kill('SIGKILL')
    await vi.waitFor(() => {
      if (existsSync(`/proc/${stopped.pid}`)) throw new Error('Something is alive in there')
    })
  }
  const enter: Container['enter'] = (argv) => [
    'nsenter',
    ...['--target', `${first?.pid}`, '--pid', '--mount'],
    ...argv,
  ]
  /** Within a PID namespace, -1 stands for all processes there. */
  const signalAll = async (name: 'STOP' | 'CONT'): Promise<void> => {
    const kill = ['sh', '-c', `kill -${name} -1`] as const
    const [command, ...args] = enter(kill)
    const child = spawn(command, args, { stdio: 'inherit' })
    await once(child, 'exit')
  }
  await start()
  return {
    enter,
    start,
    stop,
    async freeze() {
      isFrozen = true
      await signalAll('STOP')
    },
    async thaw() {
      if (!isFrozen) return
      restarts++
      await signalAll('CONT')
      isFrozen = false
    },
    restarts: () => restarts,
    disturbed: () => disturbed,
    connect(argv) {
      if (!first || isFrozen) {
        disturbed++
        throw new AskError('UNREACHABLE', 'This container is stopped')
      }
      const [command, ...args] = enter(argv)
      const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      for (const stream of [child.stdin, child.stdout]) stream.on('error', () => {}) // It was killed.
      const closed = once(child, 'exit').then(([code]) => `The relay ended with ${code}`)
      return { stdin: child.stdin, stdout: child.stdout, closed, end: () => void child.kill() }
    },
  }
}
