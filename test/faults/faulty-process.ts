import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import type { AskRequest } from '@sandagent/runner'
import type { AnswerRequest } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'
import { hasFault, isOfTheWay, type SystemCall, systemCallsIn } from './system-call.ts'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/**
 * A process may trace one that is not its child: some systems allow it only to root. On a busy machine, strace may begin after
 * a short sleep has ended.
 */
const TRACES =
  'for seconds in 0.1 2 10; do sleep $seconds & strace -o /dev/null -p $! && exit 0; done; exit 1'

/** Whether faults can be injected on this machine. */
export const canTrace =
  process.platform === 'linux' && spawnSync('sh', ['-c', TRACES], { stdio: 'ignore' }).status === 0

if (!canTrace)
  console.error('Skipping the tests of faults: they need strace, and to be allowed to trace processes')

/** What happens at a system call: before it the process is killed, or the call fails and does nothing. */
export interface Fault {
  call: SystemCall
  kind: 'SIGKILL' | 'EIO' | 'ENOSPC' | 'EDQUOT' | 'EINVAL' | 'EOPNOTSUPP'
}

/** What a process does once it goes. */
export type Work = { workdir: string; signingKey: string | null } & (
  | { role: 'submitAnswer' | 'answerHandler'; request: AnswerRequest }
  | { role: 'askUser'; request: AskRequest; timeoutMs?: number }
)

export interface Circumstances {
  fault?: Fault | undefined
  /** Whether the disk has hard links. Default true. */
  hasLinks?: boolean
}

/** What the caller in the process was told: a value, or the code of an error. */
type Told = { value: unknown } | { error: string }

/** How a process ended. */
export interface Ending {
  /** `null`: it was killed before it could tell. */
  told: Told | null
  /** Whether the fault happened. Calls that depend on times may come more or less often. */
  isHit: boolean
  /** What it did, if there was no fault. */
  calls: SystemCall[]
}

export interface FaultyProcess {
  ended: Promise<Ending>
  hasEnded(): boolean
  /** Whether it waits for changes in a folder, or its fault happened. */
  isWaiting(): Promise<boolean>
}

/** Starts the program, and lets it go once `strace` sees all that it does from there on. */
export async function startFaulty(
  program: string,
  work: Work,
  { fault, hasLinks = true }: Circumstances = {},
): Promise<FaultyProcess> {
  const node = spawn(
    process.execPath,
    ['--require', path('pool-thread.cjs'), program, JSON.stringify(work)],
    { env: { ...process.env, UV_THREADPOOL_SIZE: '1' }, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void node.kill('SIGKILL'))
  const exit = once(node, 'exit')
  const lines = createInterface(node.stdout)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? 'null')
  const { poolThread: pool } = await next()
  const threads = { main: node.pid as number, pool }
  const log = join(await tempDir(), 'calls')
  // strace counts the calls of each thread. Links fail on the main thread.
  const traced = fault && hasLinks ? [threads[fault.call.thread]] : [threads.main, threads.pool]
  const options = [
    ...traced.flatMap((thread) => ['-p', `${thread}`]),
    ...(fault ? [] : ['-e', 'trace=%file,%desc']),
    ...(hasLinks ? [] : ['-e', 'inject=link,linkat:error=EPERM']),
    ...(fault ? ['-e', injection(fault)] : []),
  ]
  const strace = spawn('strace', [...options, '-y', '-o', log], { stdio: ['ignore', 'ignore', 'pipe'] })
  const straceEnded = once(strace, 'exit')
  await attached(strace.stderr, traced.length)
  node.stdin.end('!')
  const isHit = async (): Promise<boolean> => hasFault(await readFile(log, 'utf8'))
  const ended = async (): Promise<Ending> => {
    const told: Told | null = await next()
    const [code, signal] = await exit
    await straceEnded
    const hit = await isHit()
    // Node aborts when one of its own calls fails.
    if (fault?.kind !== 'SIGKILL' && (hit || !fault) && (told === null || code !== 0))
      throw new Error(`It told ${JSON.stringify(told)}, and ended with ${code ?? signal}`)
    const calls = systemCallsIn(await readFile(log, 'utf8'), threads.pool)
    return { told, isHit: hit, calls: calls.filter(({ text }) => isOfTheWay(text)) }
  }
  const ending = ended()
  ending.catch(() => {}) // It is awaited later.
  return {
    ended: ending,
    hasEnded: () => node.exitCode !== null || node.signalCode !== null,
    isWaiting: async () => (await isWatching(threads.main)) || (fault !== undefined && isHit()),
  }
}

/** Whether a process watches a folder, by what Linux shows of its open files. */
async function isWatching(pid: number): Promise<boolean> {
  const folder = `/proc/${pid}/fdinfo`
  const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8').catch(() => ''))
  return (await Promise.all(texts)).some((text) => text.includes('inotify wd:'))
}

const injection = ({ call: { name, ordinal }, kind }: Fault): string =>
  `inject=${name}:${kind === 'SIGKILL' ? 'signal' : 'error'}=${kind}:when=${ordinal}`

/** Resolves when `strace` says that it is attached to so many threads. */
async function attached(output: NodeJS.ReadableStream, count: number): Promise<void> {
  let text = ''
  for await (const line of createInterface(output)) {
    text += line
    if (text.split(' attached').length > count) return
  }
  throw new Error(`strace: ${text}`)
}
