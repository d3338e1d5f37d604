import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { parkSandbox } from '@sandagent/remote'
import {
  createSigningKey,
  listQuestions,
  parseSigningKeys,
  readRun,
  startRun,
  submitAnswer,
} from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sandagent } from '../support/mcp.ts'
import { sleepySandbox } from '../support/park/sleepy-sandbox.ts'

const QUESTION = 'Which language?'
const TIMEOUT_MS = 600_000
const WAKE_BEFORE_MS = 100_000
const signingKeys = await parseSigningKeys(await createSigningKey())

/** A clock of the host that runs ahead of the runner’s. The runner’s own time-out never comes. */
function clockAhead() {
  let aheadMs = 0
  let looks = 0
  const clock: Clock = {
    ...systemClock,
    now() {
      looks++
      return Date.now() + aheadMs
    },
  }
  return {
    clock,
    jumpTo(ms: number) {
      aheadMs = ms
    },
    /** Resolves when the host has looked at its clock several times more. */
    async looked() {
      const before = looks
      await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 3))
    },
  }
}

async function waiting() {
  const sleepy = await sleepySandbox('freeze')
  const time = clockAhead()
  const options = { folder: await tempDir(), afterMs: 50, wakeBeforeMs: WAKE_BEFORE_MS, signingKeys }
  let mayPark = false
  const parked = await parkSandbox(sleepy.sandbox, {
    ...options,
    sleep: sleepy.sleep,
    wake: sleepy.wake,
    mayPark: () => mayPark,
    clock: time.clock,
  })
  onTestFinished(() => parked.close())
  const questions = [{ id: 'language', question: QUESTION, options: [{ label: 'Go' }, { label: 'Zig' }] }]
  const steps = [{ ask: { questions, timeoutMs: TIMEOUT_MS } }, { say: 'It is {{answers.language}}' }]
  await writeFile(join(sleepy.workdir, 'scenario.json'), JSON.stringify({ steps }))
  const { runId } = await startRun(
    parked,
    {
      agent: 'scripted',
      args: ['--scenario', 'scenario.json'],
      prompt: 'Go',
      runner: [process.execPath, sandagent],
    },
    { signingKeys, onError: () => {} },
  )
  const toolCallId = await vi.waitFor(async () => {
    const [question] = await listQuestions(parked, { signingKeys })
    if (!question) throw new Error('Nothing was asked')
    return question.toolCallId
  })
  const say = (status: 'pending' | 'completed', label: string) =>
    submitAnswer(
      parked,
      { toolCallId, status, answers: { [QUESTION]: label } },
      { signingKeys, clock: time.clock },
    )
  const phase = (wanted: typeof parked.phase) => vi.waitFor(() => expect(parked.phase).toBe(wanted))
  const letSleep = async (): Promise<void> => {
    mayPark = true
    await phase('asleep')
    mayPark = false
  }
  return { ...sleepy, ...time, parked, runId, say, phase, letSleep }
}

it('a draft before the sleep moves the time at which the sandbox is woken', async () => {
  const { jumpTo, looked, say, letSleep, phase, parked, woken, runId } = await waiting()
  jumpTo(300_000)
  await say('pending', 'Go')
  await letSleep()
  jumpTo(550_000) // Without the draft, it would be woken at 500,000.
  await looked()
  expect(parked.phase).toBe('asleep')
  jumpTo(810_000)
  await phase('awake')
  expect(woken()).toBe(1)
  await say('completed', 'Zig')
  await vi.waitFor(async () => expect(await readRun(parked, runId)).toMatchObject({ state: 'finished' }))
})

it('a draft during the sleep moves the deadline once the sandbox was woken for the old one', async () => {
  const { jumpTo, say, letSleep, phase, parked, woken, runId } = await waiting()
  await letSleep()
  jumpTo(300_000)
  await say('pending', 'Go')
  expect(parked.phase).toBe('asleep')
  jumpTo(550_000)
  await phase('awake')
  // It may sleep again, because the draft has moved the deadline to 900,000.
  await letSleep()
  expect(woken()).toBe(1)
  jumpTo(810_000)
  await phase('awake')
  expect(woken()).toBe(2)
  await say('completed', 'Zig')
  await vi.waitFor(async () => expect(await readRun(parked, runId)).toMatchObject({ state: 'finished' }))
})
