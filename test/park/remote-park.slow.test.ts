import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { parkSandbox, RemoteSandbox } from '@sandagent/remote'
import {
  createSigningKey,
  listQuestions,
  parseSigningKeys,
  readRun,
  startRun,
  stopRun,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sandagent } from '../support/mcp.ts'
import { canContain, container } from '../support/park/container.ts'

/** How many containers are paused, and how many are stopped, which takes longer. */
const PAUSED = 9
const STOPPED = 1
const QUESTIONS = 10
/** For a slow machine that is busy, in milliseconds. */
const LONG_MS = 600_000

const signingKeys = await parseSigningKeys(await createSigningKey())

const textOf = (n: number): string => `Question ${n}?`
const scenario = {
  steps: Array.from({ length: QUESTIONS }, (_, n) => [
    {
      ask: {
        questions: [{ id: `q${n}`, question: textOf(n), options: [{ label: 'Yes' }, { label: `No ${n}` }] }],
      },
    },
    { write: { path: `answer-${n}.txt`, content: `{{answers.q${n}}}` } },
  ]).flat(),
}

/** Answers each question of a run while its sandbox is stopped. */
async function answerAllAsleep(kind: 'pause' | 'stop'): Promise<void> {
  const { connect, start, stop, freeze, thaw, restarts, disturbed } = await container()
  const workdir = join(await tempDir(), 'workdir')
  const command = [process.execPath, sandagent] as const
  const remote = new RemoteSandbox({ name: workdir, workdir, isolation: 'none', relay: command, connect })
  onTestFinished(() => remote.close())
  const errors: unknown[] = []
  const parked = await parkSandbox(remote, {
    folder: await tempDir(),
    afterMs: 100,
    ...(kind === 'stop' ? { sleep: stop, wake: start } : { sleep: freeze, wake: thaw }),
    restart: (run) => ({ ...run, runner: command }),
    signingKeys,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => parked.close())
  await parked.files.writeAtomic('scenario.json', JSON.stringify(scenario))
  const { runId } = await startRun(
    parked,
    { agent: 'scripted', args: ['--scenario', 'scenario.json'], prompt: 'Go', runner: command },
    { signingKeys, onError: () => {} },
  )
  onTestFinished(async () => void (await stopRun(parked, runId, { graceMs: 0 })))
  for (let n = 0; n < QUESTIONS; n++) {
    const toolCallId = await vi.waitFor(async () => {
      const [question] = await listQuestions(parked, { signingKeys })
      if (question?.questions[0]?.question !== textOf(n)) throw new Error(`Question ${n} is not asked`)
      // It may have been awake when the question was listed.
      if (parked.phase !== 'asleep') throw new Error(`Question ${n} is not asleep`)
      return question.toolCallId
    })
    const answers = { [textOf(n)]: `No ${n}` }
    await submitAnswer(parked, { toolCallId, status: 'completed', answers }, { signingKeys })
  }
  await vi.waitFor(async () => expect(await readRun(parked, runId)).toMatchObject({ state: 'finished' }))
  for (let n = 0; n < QUESTIONS; n++) expect(await parked.files.read(`answer-${n}.txt`)).toBe(`No ${n}`)
  expect(errors).toEqual([])
  expect({ restarts: restarts(), disturbed: disturbed() }).toEqual({ restarts: QUESTIONS, disturbed: 0 })
}

describe.runIf(canContain)('sandboxes in containers that really stop', () => {
  it(`wake once for each of ${PAUSED * QUESTIONS} answers that came while they were paused`, {
    timeout: LONG_MS,
  }, async () => {
    for (let n = 0; n < PAUSED; n += 3)
      await Promise.all(Array.from({ length: 3 }, () => answerAllAsleep('pause')))
  })

  it(`wake once for each of ${STOPPED * QUESTIONS} answers that came while they were stopped`, {
    timeout: LONG_MS,
  }, async () => {
    for (let n = 0; n < STOPPED; n++) await answerAllAsleep('stop')
  })
})
