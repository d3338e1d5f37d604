import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sandagent/core'
import { createFileHostChannel, createLocalFiles, type SandboxFiles } from '@sandagent/files'

const SETTLED = 10_000

/** How long a host takes that must find one open question among many that ended, in milliseconds. */
export interface SettledCost {
  settled: number
  firstListMs: number
  nextListMs: number
  firstWatchRoundMs: number
  nextWatchRoundMs: number
  /** As every list and round was when settled questions were read again. */
  withoutStamps: { listMs: number; watchRoundMs: number }
}

export async function measureSettled(): Promise<SettledCost> {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-bench-settled-'))
  try {
    await settleMany(workdir, SETTLED)
    const { stamps: _, ...plain } = createLocalFiles(workdir)
    const files = createLocalFiles(workdir)
    const [firstListMs, nextListMs] = [await listMs(files), await listMs(files)]
    const rounds = await watchRoundsMs(files, 4)
    return {
      settled: SETTLED,
      firstListMs,
      nextListMs,
      firstWatchRoundMs: rounds[0] as number,
      nextWatchRoundMs: rounds.at(-1) as number,
      withoutStamps: {
        listMs: await listMs(plain),
        watchRoundMs: (await watchRoundsMs(plain, 2)).at(-1) as number,
      },
    }
  } finally {
    await rm(workdir, { recursive: true })
  }
}

async function listMs(files: SandboxFiles): Promise<number> {
  const startedAt = performance.now()
  await createFileHostChannel({ files }).questions({ unsettled: true })
  return performance.now() - startedAt
}

/** How long each of the first looks at everything takes. Between them no time passes. */
async function watchRoundsMs({ watch: _, ...files }: SandboxFiles, count: number): Promise<number[]> {
  const stop = new AbortController()
  const times: number[] = []
  let startedAt = performance.now()
  const after = (_: number, callback: () => void): (() => void) => {
    times.push(performance.now() - startedAt)
    if (times.length === count) stop.abort()
    const next = setImmediate(() => {
      startedAt = performance.now()
      callback()
    })
    return () => clearImmediate(next)
  }
  const channel = createFileHostChannel({ files, clock: { ...systemClock, after } })
  for await (const state of channel.subscribe(stop.signal)) void state
  return times
}

/** Questions that ended as their runner, and answers as their host, left them. */
export async function settleMany(workdir: string, count: number): Promise<void> {
  const [asked, answered] = ['questions', 'approvals'].map((name) => join(workdir, '.sandagent', name))
  for (const folder of [asked, answered]) await mkdir(folder as string, { recursive: true })
  const questions = [{ id: 'q1', question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]
  const responses = { q1: { selected: ['A'], source: 'human' } }
  const time = '2026-01-01T00:00:00.000Z'
  for (let n = 0; n < count; n++) {
    const toolCallId = `toolu_${n}`
    const record = {
      version: 1,
      toolCallId,
      toolName: 'AskUserQuestion',
      kind: 'question',
      questions,
      askedAt: time,
      timeoutMs: 'never',
      deadline: null,
      nonce: `nonce of ${toolCallId}`,
      runId: 'run-1',
      state: 'answered',
      settledAt: time,
      responses,
      revision: 1,
    }
    const answer = {
      questions,
      answers: { 'Which language?': 'A' },
      status: 'completed',
      timestamp: time,
      version: 1,
      toolCallId,
      nonce: record.nonce,
      revision: 1,
      responses,
    }
    await writeFile(join(asked as string, `${toolCallId}.json`), JSON.stringify(record, null, 2))
    for (const name of [`${toolCallId}.json`, `.${toolCallId}.final`])
      await writeFile(join(answered as string, name), JSON.stringify(answer, null, 2))
  }
}
