import { processHandle } from '@sandagent/files/internal'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { onTestFinished, vi } from 'vitest'
import {
  type LocalSandbox,
  type Run,
  type RunRequest,
  readRun,
  type StartOptions,
  type StreamRunOptions,
  startRun,
  stopRun,
  streamRun,
} from '../../src/index.ts'

/** Starts a run that is stopped, and its end noted, before the test's sandbox goes. */
export async function started(
  sandbox: LocalSandbox,
  request: Partial<RunRequest> & { agent: string },
  options?: StartOptions,
): Promise<Run> {
  const run = await startRun(sandbox, { prompt: 'Go', runner, ...request }, options)
  onTestFinished(async () => {
    if ((await readRun(sandbox, run.runId)) === null) return
    await stopRun(sandbox, run.runId, { graceMs: 0 })
    await noted(sandbox, run.runId)
  })
  return run
}

/** Resolves once a run has ended and its host has noted how. */
export const noted = (sandbox: LocalSandbox, runId: string): Promise<Run> =>
  vi.waitFor(
    async () => {
      const run = await readRun(sandbox, runId)
      if (run?.exitCode === undefined) throw new Error(`The end of ${runId} is not noted`)
      return run
    },
    { interval: 20 },
  )

/** The texts of the events that a stream gives until it ends. Comments are left out. */
export async function eventsOf(
  sandbox: LocalSandbox,
  runId: string,
  options?: StreamRunOptions,
): Promise<string[]> {
  const events: string[] = []
  for await (const event of followed(sandbox, runId, options)) events.push(event)
  return events
}

/** The events of a run as they come. */
export async function* followed(
  sandbox: LocalSandbox,
  runId: string,
  options?: StreamRunOptions,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of await streamRun(sandbox, runId, options)) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    yield* events.filter((event) => !event.startsWith(':'))
  }
}

/** The chunks in events, without what ends the stream. */
export const chunksIn = (events: readonly string[]): Record<string, unknown>[] =>
  events.flatMap((event) => {
    const data = /^data: (.*)$/m.exec(event)?.[1] ?? ''
    return data === '[DONE]' ? [] : [JSON.parse(data)]
  })

/** Whether a process is there and not only waiting for its exit code to be read. */
export const isRunning = async (pid: number): Promise<boolean> =>
  (await processHandle(pid)).split(' ')[1] !== 'ended'

/** Resolves once a process is gone. */
export const gone = (pid: number): Promise<void> =>
  vi.waitFor(
    async () => {
      if (await isRunning(pid)) throw new Error(`${pid} is still there`)
    },
    { interval: 20 },
  )
