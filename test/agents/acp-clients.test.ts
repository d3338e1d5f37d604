import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { acpAgent, resultsIn } from '../support/acp.ts'
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
const human = { source: 'human' as const }

const form = (properties: object, toolCallId = 'call_1') => ({
  request: {
    'elicitation/create': {
      ...{ mode: 'form', message: 'Before we go', toolCallId },
      requestedSchema: { type: 'object', properties },
    },
  },
})

/** A client of the SDK whose agent does these steps. */
async function start(steps: object[], options: object = {}) {
  const sandbox = await tempSandbox()
  const { args } = await acpAgent({ steps })
  const program = join(root, 'test/support/programs/acp-client.mjs')
  const again = () => {
    const child = spawn(process.execPath, [program, sandbox.workdir, args[1], JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    onTestFinished(() => stop(child))
    return child
  }
  return { sandbox, child: again(), again, results: (count?: number) => resultsIn(args[1], count) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const answer = async (sandbox: LocalSandbox, response: object): Promise<void> => {
  const { toolCallId } = await asked(sandbox)
  const responses = { question_0: { selected: [], ...response, ...human } }
  await submitAnswer(sandbox, { toolCallId, responses })
}
const accepted = (content: object) => [{ action: 'accept', content }]

/** What the agent gets for this answer to a form. */
async function answered(properties: object, response: object): Promise<unknown> {
  const { sandbox, results } = await start([form(properties)])
  await answer(sandbox, response)
  return results()
}

agentRow('ACP clients', {
  'single choice': async () =>
    expect(await answered(ONE, { selected: ['Rome'] })).toEqual(accepted({ question_0: 'Rome' })),
  'several choices with commas': async () => {
    const selected = ['Paris, north', 'Rome']
    expect(await answered(SOME, { selected })).toEqual(accepted({ question_0: selected }))
  },
  'own words': async () =>
    expect(await answered({ ...ONE, ...OWN }, { freeText: 'home, to Łódź' })).toEqual(
      accepted({ question_0_custom: 'home, to Łódź' }),
    ),
  notes: async () =>
    expect(await answered({ ...ONE, ...OWN }, { selected: ['Rome'], notes: 'by train' })).toEqual(
      accepted({ question_0: 'Rome', question_0_custom: 'by train' }),
    ),
  previews: async () => {
    const preview = { _meta: { '_claude/askUserQuestionOption': { preview: '# A map' } } }
    const options = [{ const: 'Map', title: 'Map', description: 'With roads', ...preview }, ...PLACES]
    const { sandbox } = await start([form(where({ type: 'string', oneOf: options }))])
    const { questions } = await asked(sandbox)
    expect(questions[0]?.options?.[0]).toMatchObject({ description: 'With roads', preview: '# A map' })
  },
  defaults: async () => {
    const { sandbox, results } = await start([
      form(where({ type: 'string', oneOf: PLACES, default: 'Rome' })),
    ])
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, status: 'completed', responses: {} })
    expect(await results()).toEqual(accepted({ question_0: 'Rome' }))
  },
  decline: async () => {
    const { sandbox, results } = await start([form(ONE)])
    const { toolCallId } = await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId })
    expect(await results()).toEqual([{ action: 'decline' }])
  },
  'time-out': async () => {
    const { results } = await start([form(ONE)], { timeoutMs: 1 })
    expect(await results()).toEqual([{ action: 'cancel' }])
  },
  cancel: async () => {
    const { sandbox } = await start([{ ...form(ONE), withdrawAfter: 'flag' }])
    await asked(sandbox)
    await writeFile(join(sandbox.workdir, 'flag'), '')
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
  },
  'two at once': async () => {
    const when = form({ question_0: { type: 'string', title: 'When?' } }, 'call_2')
    const { sandbox, results } = await start([{ together: [form(ONE), when] }])
    const views = await asked(sandbox, 2)
    expect(views.map(({ toolCallId }) => toolCallId).sort()).toEqual(['call_1', 'call_2'])
    const responses = { question_0: { selected: [], freeText: 'soon', ...human } }
    await submitAnswer(sandbox, { toolCallId: 'call_2', responses })
    expect(await results()).toEqual(accepted({ question_0: 'soon' }))
    await answer(sandbox, { selected: ['Rome'] })
    expect(await results(2)).toContainEqual({ action: 'accept', content: { question_0: 'Rome' } })
  },
  restart: async () => {
    const { sandbox, child, again, results } = await start([form(ONE)])
    await asked(sandbox)
    await stop(child)
    await answer(sandbox, { selected: ['Rome'] })
    again()
    // That of the first one broke off.
    expect(await results(2)).toContainEqual({ action: 'accept', content: { question_0: 'Rome' } })
    expect(await listQuestions(sandbox)).toEqual([])
  },
})
