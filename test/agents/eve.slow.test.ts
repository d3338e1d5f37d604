import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { post } from '@sandagent/fixtures/listen.ts'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { serveApp } from '../support/eve/app.ts'
import { agentRow, lost } from '../support/matrix/agent-row.ts'
import { node24 } from '../support/node24.ts'
import { tempSandbox } from '../support/workspace.ts'

const OPTIONS = [
  { label: 'Paris, north', description: 'Rain' },
  { label: 'Rome', description: 'Sun' },
]
const WHERE = ['ask_question', { question: 'Where to?', options: OPTIONS }]
const human = { source: 'human' as const }

let app: Awaited<ReturnType<typeof serveApp>> | undefined
beforeAll(async () => {
  if (node24) app = await serveApp(node24)
})
afterAll(() => app?.close())

/** `sandagent run` with an agent of eve that makes these calls. */
async function startRun(calls: unknown[], ...options: string[]) {
  const sandbox = await tempSandbox()
  const url = app?.url as string
  const start = (...more: string[]) => {
    const command = [join(root, 'packages/cli/dist/main.js'), 'run', '--agent', 'eve', '--url', url]
    const place = ['--workdir', sandbox.workdir, '--run-id', 'r', ...options, ...more]
    // Its client needs a newer Node than this one, too.
    const child = spawn(node24 as string, [...command, ...place], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => stop(child))
    let said = ''
    child.stdout.on('data', (data) => (said += data))
    return { child, said: () => said }
  }
  return { sandbox, url, ...start('--prompt', JSON.stringify(calls)), again: start }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const waiting = (sandbox: LocalSandbox, count = 1) =>
  vi.waitFor(async () => {
    const questions = await listQuestions(sandbox)
    expect(questions).toHaveLength(count)
    return questions as [(typeof questions)[0], ...typeof questions]
  })
const sessionIn = (said: () => string): string => /"sessionId":"([^"]+)"/.exec(said())?.[1] as string
/** What the model reads is in the last text that it says. */
const reads = (said: () => string, text: string) =>
  vi.waitFor(() => expect(said().replaceAll('\\', '')).toMatch(new RegExp(`The tools returned .*${text}`)))

describe.skipIf(!node24)('an agent of eve 0.80, with its own server', () => {
  agentRow('eve', {
    'single choice': async () => {
      const { sandbox, said, child } = await startRun([WHERE])
      const [{ toolCallId, questions }] = await waiting(sandbox)
      expect(questions[0]?.options).toEqual(OPTIONS.map((option) => ({ ...option, value: option.label })))
      await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Paris, north' } })
      await reads(said, '"answer":"Paris, north","status":"answered"')
      if (child.exitCode === null) await once(child, 'exit')
      expect(child.exitCode).toBe(0)
    },
    'several choices with commas': lost('A request takes one option.'),
    'own words': async () => {
      const { sandbox, said } = await startRun([WHERE])
      const [{ toolCallId }] = await waiting(sandbox)
      await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'home, to Łódź' } })
      await reads(said, '"answer":"home, to Łódź"')
    },
    notes: lost('Words beside an option are for a cancelled approval alone.'),
    previews: lost('Its options have no previews.'),
    defaults: lost('Its questions name no default.'),
    decline: async () => {
      const { sandbox, said } = await startRun([WHERE])
      const [{ toolCallId }] = await waiting(sandbox)
      await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
      await reads(said, 'The user declined to answer, saying "not now"')
    },
    'time-out': async () => {
      const { said } = await startRun([WHERE], '--timeout-ms', '1')
      await reads(said, 'Nobody answered')
    },
    cancel: async () => {
      const { sandbox, child } = await startRun([WHERE])
      await waiting(sandbox)
      child.kill('SIGINT')
      await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
    },
    'two at once': async () => {
      const { sandbox, said } = await startRun([WHERE, ['ask_question', { question: 'When?' }]])
      for (const { toolCallId, questions } of await waiting(sandbox, 2)) {
        const text = questions[0]?.question as string
        await submitAnswer(sandbox, { toolCallId, answers: { [text]: text === 'When?' ? 'soon' : 'Rome' } })
      }
      await reads(said, '"answer":"Rome".*"answer":"soon"')
    },
    restart: async () => {
      const { sandbox, child, said, again } = await startRun([WHERE])
      const [{ toolCallId }] = await waiting(sandbox)
      await stop(child)
      await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
      await reads(again('--resume', sessionIn(said)).said, '"answer":"Rome"')
      expect(await listQuestions(sandbox)).toEqual([])
    },
  })

  it.each([
    ['allow-once', '"deployed":"prod"'],
    ['deny', 'The person who denied it wrote: "not on Friday"'],
  ])('asks for an approval, and gets the decision: %s', async (value, result) => {
    const { sandbox, said } = await startRun([['deploy', { to: 'prod' }]])
    const [{ toolCallId, kind, subject }] = await waiting(sandbox)
    expect({ kind, subject }).toEqual({
      kind: 'approval',
      subject: {
        toolName: 'deploy',
        input: { to: 'prod' },
        reasons: [{ by: 'rule', text: 'Deploy to prod, as the plan says?' }],
      },
    })
    const responses = { permission: { selected: [value], notes: 'not on Friday', ...human } }
    await submitAnswer(sandbox, { toolCallId, responses })
    await reads(said, result)
  })

  it('tells options of one label apart, and ends the turn where nobody picks one', async () => {
    const { sandbox, said, child } = await startRun([['pick', {}]])
    const [{ toolCallId, questions }] = await waiting(sandbox)
    expect(questions[0]?.options?.map(({ label }) => label)).toEqual(['Same ("s")', 'Same ("l")'])
    await declineQuestion(sandbox, { toolCallId })
    if (child.exitCode === null) await once(child, 'exit')
    expect(said()).not.toContain('The tools returned')
  })

  it('asks no more what somebody answered at a page of eve', async () => {
    const { sandbox, said, url } = await startRun([WHERE])
    const [{ toolCallId }] = await waiting(sandbox)
    const inputResponses = [{ requestId: toolCallId.slice('r-'.length), optionId: 'Rome' }]
    await post(`${url}/eve/v1/session/${sessionIn(said)}`, { inputResponses })
    await reads(said, '"answer":"Rome"')
    expect(await listQuestions(sandbox)).toEqual([])
  })
})
