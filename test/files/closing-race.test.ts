import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Outcome, Responses } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished } from 'vitest'

const scriptOf = (name: string): string =>
  fileURLToPath(new URL(`../support/programs/${name}.mjs`, import.meta.url))

const RESPONSES: Responses = { q1: { selected: ['A'], source: 'human' } }
const ANSWERS = [
  { status: 'completed', responses: RESPONSES },
  { status: 'declined' },
  { status: 'pending', responses: RESPONSES },
] as const

/** One decision of a person near the end of a question, and what came of it. */
interface Trial {
  status: string
  told?: string
  got?: Pick<Outcome, 'kind' | 'responses' | 'answeredBy'>
}

interface Race {
  trials: number
  /** How many questions wait at once. */
  atOnce: number
  slowSyncMs: number
  /** How long a question waits, and what ends the wait. */
  waitMs: number
  ending: 'timeoutMs' | 'abortMs'
  /** How long around the end of the wait decisions come. */
  spreadMs: number
}

/** What the processes report of a question. */
interface Report {
  toolCallId: string
  askedAt: number
  told: string
  outcome?: NonNullable<Trial['got']>
}

/** Lets a person answer in one process while the wait ends in another, again and again. */
async function race({ trials, atOnce, slowSyncMs, waitMs, ending, spreadMs }: Race): Promise<Trial[]> {
  const workdir = await tempDir()
  const env = { ...process.env, SLOW_SYNC_MS: String(slowSyncMs) }
  const start = async (name: string): Promise<ChildProcess> => {
    const child = fork(scriptOf(name), [workdir], { env })
    onTestFinished(() => void child.kill())
    await once(child, 'message')
    return child
  }
  const [runner, host] = await Promise.all([start('ask-in-time'), start('answer-in-time')])
  const results: Trial[] = []
  await new Promise<void>((done, fail) => {
    let next = 0
    // Decisions come earlier after one that was too late, and later after one in time: so the race stays close on any machine.
    let shiftMs = 0
    const ask = (): void => {
      if (next === trials) return
      const status = ANSWERS[next % ANSWERS.length]?.status as string
      results.push({ status })
      runner.send({ toolCallId: String(next++), [ending]: waitMs })
    }
    const note = (toolCallId: string, part: Partial<Trial>): void => {
      const trial = Object.assign(results[Number(toolCallId)] as Trial, part)
      if (!trial.told || !trial.got) return
      ask()
      if (results.length === trials && results.every(({ told, got }) => told && got)) done()
    }
    for (const child of [runner, host])
      child.once('exit', (code) => fail(new Error(`A process ended with ${code}`)))
    runner.on('message', ({ toolCallId, askedAt, outcome }: Report) => {
      const answer = ANSWERS[Number(toolCallId) % ANSWERS.length]
      const at = askedAt + waitMs + shiftMs + (Math.random() - 0.8) * spreadMs
      if (outcome) note(toolCallId, { got: outcome })
      else host.send({ ...answer, toolCallId, answeredBy: 'ada', at })
    })
    host.on('message', ({ toolCallId, told }: Report) => {
      shiftMs += (told === 'GONE' ? -1 : 1) * (spreadMs / 10)
      note(toolCallId, { told })
    })
    for (let n = 0; n < atOnce; n++) ask()
  })
  return results
}

const KINDS: Readonly<Record<string, string>> = {
  completed: 'answered',
  declined: 'declined',
  pending: 'partial',
}

/** Whether a person was told what the agent got. */
function agrees({ status, told, got }: Trial, otherwise: string): boolean {
  if (told === 'GONE') return got?.kind === otherwise && Object.keys(got.responses).length === 0
  // What was entered goes with a time-out; an agent that stops asking takes no draft.
  const kind = status === 'pending' && otherwise === 'aborted' ? 'aborted' : KINDS[status]
  const responses = kind === 'answered' || kind === 'partial' ? RESPONSES : {}
  return told === status && got?.kind === kind && JSON.stringify(got?.responses) === JSON.stringify(responses)
}

it.each([
  ['a deadline', { trials: 300, atOnce: 6, slowSyncMs: 0, waitMs: 80, ending: 'timeoutMs', spreadMs: 60 }],
  [
    'a deadline, with slow disks',
    { trials: 90, atOnce: 10, slowSyncMs: 60, waitMs: 400, ending: 'timeoutMs', spreadMs: 300 },
  ],
  ['a withdrawal', { trials: 150, atOnce: 6, slowSyncMs: 0, waitMs: 80, ending: 'abortMs', spreadMs: 60 }],
] as const)(
  'a person who decides around %s is told what the agent got',
  async (_, options) => {
    const otherwise = options.ending === 'abortMs' ? 'aborted' : 'timed-out'
    const trials = await race(options)
    expect(trials.filter((trial) => !agrees(trial, otherwise))).toEqual([])
    // The race was one: some decisions were in time, and some were not.
    expect(new Set(trials.map(({ told }) => told === 'GONE'))).toEqual(new Set([true, false]))
  },
  120_000,
)
