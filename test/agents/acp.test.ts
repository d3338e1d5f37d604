import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { acpAgent, type Script, startAcp } from '../support/acp.ts'
import { agentRow } from '../support/matrix/agent-row.ts'
import { asked } from '../support/mcp.ts'
import { tempSandbox } from '../support/workspace.ts'

const PLACES = [
  { const: 'Paris, north', title: 'Paris, north' },
  { const: 'Rome', title: 'Rome' },
]
const where = (field: object) => ({ question_0: { title: 'Where to?', ...field } })
const ONE = where({ type: 'string', oneOf: PLACES })
const SOME = where({ type: 'array', items: { anyOf: PLACES } })
const OWN = { question_0_custom: { type: 'string', title: 'Other' } }

const form = (properties: object, more: object = {}) => ({
  request: {
    'elicitation/create': {
      mode: 'form',
      message: 'Before we go',
      toolCallId: 'call_1',
      requestedSchema: { type: 'object', properties },
      ...more,
    },
  },
})

/** An agent of the SDK that asks this. */
const start = (
  properties: object,
  ...more: Parameters<typeof startAcp> extends [unknown, ...infer R] ? R : never
) => startAcp({ steps: [form(properties)] }, ...more)

const human = { source: 'human' as const }
const accepted = (content: object) => [{ action: 'accept', content }]

agentRow('ACP agents', {
  'single choice': async () => {
    const { sandbox, results, ended } = await start(ONE)
    const { toolCallId } = await asked(sandbox)
    expect(toolCallId).toBe('r-call_1')
    await submitAnswer(sandbox, { toolCallId, responses: { question_0: { selected: ['Rome'], ...human } } })
    expect(await results()).toEqual(accepted({ question_0: 'Rome' }))
    await ended
  },
  'several choices with commas': async () => {
    const { sandbox, results } = await start(SOME)
    const { toolCallId } = await asked(sandbox)
    const responses = { question_0: { selected: ['Paris, north', 'Rome'], ...human } }
    await submitAnswer(sandbox, { toolCallId, responses })
    expect(await results()).toEqual(accepted({ question_0: ['Paris, north', 'Rome'] }))
  },
  'own words': async () => {
    const { sandbox, results } = await start({ ...ONE, ...OWN })
    const { toolCallId } = await asked(sandbox)
    const responses = { question_0: { selected: [], freeText: 'home, to Łódź', ...human } }
    await submitAnswer(sandbox, { toolCallId, responses })
    expect(await results()).toEqual(accepted({ question_0_custom: 'home, to Łódź' }))
  },
  notes: async () => {
    const { sandbox, results } = await start({ ...ONE, ...OWN })
    const { toolCallId } = await asked(sandbox)
    const responses = { question_0: { selected: ['Rome'], notes: 'by train', ...human } }
    await submitAnswer(sandbox, { toolCallId, responses })
    expect(await results()).toEqual(accepted({ question_0: 'Rome', question_0_custom: 'by train' }))
  },
  previews: async () => {
    const preview = { _meta: { '_claude/askUserQuestionOption': { preview: '# A map' } } }
    const options = [{ const: 'Map', title: 'Map', description: 'With roads', ...preview }, ...PLACES]
    const { sandbox } = await start(where({ type: 'string', oneOf: options }))
    const { questions } = await asked(sandbox)
    expect(questions[0]?.options?.[0]).toMatchObject({ description: 'With roads', preview: '# A map' })
  },
  defaults: async () => {
    const field = where({ type: 'string', oneOf: PLACES, default: 'Rome' })
    const { results } = await start(field, {}, { timeoutMs: 1, timeoutPolicy: 'defaults' })
    expect(await results()).toEqual(accepted({ question_0: 'Rome' }))
  },
  decline: async () => {
    const { sandbox, results } = await start(ONE)
    const { toolCallId } = await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
    expect(await results()).toEqual([{ action: 'decline' }])
  },
  'time-out': async () => {
    const { results, record } = await start(ONE, {}, { timeoutMs: 1 })
    expect(await results()).toEqual([{ action: 'cancel' }])
    await vi.waitFor(async () => expect(await record('r-call_1')).toMatchObject({ state: 'timed-out' }))
  },
  cancel: async () => {
    const { sandbox } = await startAcp({ steps: [{ ...form(ONE), withdrawAfter: 'flag' }] })
    await asked(sandbox)
    await writeFile(join(sandbox.workdir, 'flag'), '')
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
  },
  'two at once': async () => {
    const when = form({ question_0: { type: 'string', title: 'When?' } }, { toolCallId: 'call_2' })
    const { sandbox, results } = await startAcp({ steps: [{ together: [form(ONE), when] }] })
    await asked(sandbox, 2)
    await submitAnswer(sandbox, {
      toolCallId: 'r-call_2',
      responses: { question_0: { selected: [], freeText: 'soon', ...human } },
    })
    expect(await results()).toEqual(accepted({ question_0: 'soon' }))
    await submitAnswer(sandbox, {
      toolCallId: 'r-call_1',
      responses: { question_0: { selected: ['Rome'], ...human } },
    })
    expect(await results(2)).toContainEqual({ action: 'accept', content: { question_0: 'Rome' } })
  },
  restart: async () => {
    const { sandbox, child, again } = await startCommand({ steps: [form(ONE)] })
    const { toolCallId } = await asked(sandbox)
    await stop(child)
    await submitAnswer(sandbox, { toolCallId, responses: { question_0: { selected: ['Rome'], ...human } } })
    const { said, child: second } = again('--resume', 'session-1')
    if (second.exitCode === null) await once(second, 'exit')
    expect(said()).toContain('"question_0":{"selected":["Rome"]')
    expect(second.exitCode).toBe(0)
    expect(await listQuestions(sandbox)).toEqual([])
  },
})

/** `sandagent run --agent acp` with an agent that does this. */
async function startCommand(script: Script) {
  const sandbox = await tempSandbox()
  const agent = await acpAgent(script)
  const start = (...options: string[]) => {
    const command = [join(root, 'packages/cli/dist/main.js'), 'run', '--agent', 'acp', '--prompt', 'Go']
    const place = ['--workdir', sandbox.workdir, '--run-id', 'r', ...options]
    const child = spawn(process.execPath, [...command, ...place, '--', agent.command, ...agent.args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => stop(child))
    let said = ''
    child.stdout.on('data', (data) => (said += data))
    return { child, said: () => said }
  }
  return { sandbox, ...start(), again: start }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

it('what a person has not sent is no answer to a form, also when the time runs out', async () => {
  const { sandbox, results, record } = await start(ONE, {}, { timeoutMs: 2000 })
  const { toolCallId } = await asked(sandbox)
  const responses = { question_0: { selected: ['Rome'], ...human } }
  await submitAnswer(sandbox, { toolCallId, responses, status: 'pending' })
  expect(await results()).toEqual([{ action: 'cancel' }])
  await vi.waitFor(async () => expect(await record('r-call_1')).toMatchObject({ state: 'timed-out' }))
})

it('a failure that is no fault of the question reaches the operator, too', async () => {
  const { results, warnings, ended } = await start(ONE, {}, { timeoutMs: Number.NaN })
  expect(await results()).toMatchObject([{ code: expect.any(Number) }])
  await ended
  expect(warnings).toMatchObject([{ message: expect.stringContaining('The agent could not ask') }])
})
