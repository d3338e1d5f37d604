import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { declineQuestion, type LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { type GraphAsk, serveGraph } from '../support/ag-ui/langgraph.ts'
import { serveAgUi } from '../support/ag-ui/serve.ts'
import { agentRow, lost } from '../support/matrix/agent-row.ts'
import { node24 } from '../support/node24.ts'
import { tempSandbox } from '../support/workspace.ts'

/** `sandagent run` with an agent at an address. */
async function run({ url }: { url: string }, ...options: string[]) {
  const sandbox = await tempSandbox()
  const start = () => {
    const command = [join(root, 'packages/cli/dist/main.js'), 'run', '--agent', 'ag-ui', '--url', url]
    const args = [...command, '--workdir', sandbox.workdir, '--run-id', 'r', ...options, '--', 'Begin']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => stop(child))
    const said = { text: '' }
    child.stdout.on('data', (data) => (said.text += data))
    child.stderr.on('data', (data) => (said.text += data))
    return { child, said: () => said.text.replaceAll('\\"', '"') }
  }
  return { sandbox, ...start(), again: start }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const graph = async (asks: GraphAsk[], ...options: string[]) => {
  const server = await serveGraph(...asks)
  return { ...server, ...(await run(server, ...options)) }
}

const waiting = (sandbox: LocalSandbox, count = 1) =>
  vi.waitFor(async () => {
    const views = await listQuestions(sandbox)
    expect(views).toHaveLength(count)
    return views as [(typeof views)[number], ...typeof views]
  })
const reads = (said: () => string, text: string) => vi.waitFor(() => expect(said()).toContain(text))

const PLACES = [
  { const: 'Paris, north', title: 'Paris, north' },
  { const: 'Rome', title: 'Rome' },
]
const where = (schema: object): GraphAsk => ({
  name: 'where',
  value: { reason: 'input_required', message: 'Where to?', responseSchema: schema },
})
const WHERE = where({ type: 'string', oneOf: PLACES })

agentRow('AG-UI agents', {
  'single choice': async () => {
    const { sandbox, said } = await graph([WHERE])
    const [{ toolCallId, questions }] = await waiting(sandbox)
    expect(questions).toMatchObject([{ question: 'Where to?', options: [{}, { label: 'Rome' }] }])
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
    await reads(said, '{"where":"Rome"}')
  },
  'several choices with commas': async () => {
    const { sandbox, said } = await graph([where({ type: 'array', items: { anyOf: PLACES } })])
    const [{ toolCallId }] = await waiting(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': '"Paris, north", Rome' } })
    await reads(said, '{"where":["Paris, north","Rome"]}')
  },
  'own words': async () => {
    const { sandbox, said } = await graph([{ name: 'where', value: 'Where to?' }])
    const [{ toolCallId }] = await waiting(sandbox)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'home, to Łódź' } })
    await reads(said, '{"where":"home, to Łódź"}')
  },
  notes: lost(
    'A schema has no field for it. That of an approval is in `metadata`, which graphs do not read.',
  ),
  previews: lost('JSON Schema has none.'),
  defaults: lost('What nobody answers is `cancelled`, and the agent takes its own default.'),
  decline: async () => {
    const { sandbox, said } = await graph([WHERE])
    const [{ toolCallId }] = await waiting(sandbox)
    await declineQuestion(sandbox, { toolCallId })
    await reads(said, '"__agui_cancelled__":true')
  },
  'time-out': async () => {
    const { sandbox, said } = await graph([{ ...WHERE, expiresInMs: 4000 }])
    const [{ deadline, askedAt }] = await waiting(sandbox)
    expect(Date.parse(deadline as string) - Date.parse(askedAt as string)).toBeLessThanOrEqual(3000)
    await reads(said, '"__agui_cancelled__":true')
  },
  cancel: async () => {
    const { sandbox, child } = await graph([WHERE])
    await waiting(sandbox)
    child.kill('SIGINT')
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
  },
  'two at once': async () => {
    const { sandbox, said, inputs } = await graph([WHERE, { name: 'when', value: 'When?' }])
    const views = await waiting(sandbox, 2)
    for (const { toolCallId, questions } of views.toReversed())
      await submitAnswer(sandbox, {
        toolCallId,
        answers: questions[0]?.question === 'When?' ? { 'When?': 'soon' } : { 'Where to?': 'Rome' },
      })
    await reads(said, '{"where":"Rome","when":"soon"}')
    expect(inputs[1]?.resume).toHaveLength(2)
  },
  restart: async () => {
    const { sandbox, child, again, inputs } = await graph([WHERE])
    const [{ toolCallId }] = await waiting(sandbox)
    await stop(child)
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
    await reads(again().said, '{"where":"Rome"}')
    expect(inputs).toHaveLength(2)
    expect(await listQuestions(sandbox)).toEqual([])
  },
})

const SEND = { id: 'call_1', name: 'send_mail', args: { to: 'a@b.example', text: 'Hi' } }
const MAY_SEND: GraphAsk = {
  name: 'send',
  tool: SEND,
  value: {
    reason: 'tool_call',
    toolCallId: 'call_1',
    message: 'The customer waits.',
    responseSchema: {
      type: 'object',
      properties: {
        approved: { type: 'boolean' },
        editedArgs: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } },
      },
      required: ['approved'],
    },
  },
}

it('a tool call of LangGraph is an approval that shows the call, and an edit is `editedArgs`', async () => {
  const { sandbox, said } = await graph([MAY_SEND])
  const [{ toolCallId, kind, subject }] = await waiting(sandbox)
  expect({ kind, subject }).toMatchObject({
    kind: 'approval',
    subject: {
      toolName: 'send_mail',
      input: SEND.args,
      editable: true,
      reasons: [{ text: 'The customer waits.' }],
    },
  })
  const input = { to: 'a@b.example', text: 'Hello' }
  const responses = { permission: { selected: ['allow-once'], input, source: 'human' as const } }
  await submitAnswer(sandbox, { toolCallId, responses })
  await reads(said, '{"send":{"approved":true,"editedArgs":{"to":"a@b.example","text":"Hello"}}}')
  expect(said()).toContain(`{"type":"tool-output-available","toolCallId":"${toolCallId}","output":"done"`)
})

it('what a person leaves out has the default of the schema', async () => {
  const to = { type: 'string', oneOf: PLACES, default: 'Rome' }
  const schema = { properties: { to, why: { type: 'string' } }, required: ['to'] }
  const { sandbox, said } = await graph([where(schema)])
  const [{ toolCallId }] = await waiting(sandbox)
  const why = { selected: [], freeText: 'the food', source: 'human' as const }
  await submitAnswer(sandbox, { toolCallId, status: 'completed', responses: { why } })
  await reads(said, '{"where":{"to":"Rome","why":"the food"}}')
})

it('a denied tool call is an answer, and not a cancelled interrupt', async () => {
  const { sandbox, said } = await graph([MAY_SEND])
  const [{ toolCallId }] = await waiting(sandbox)
  const responses = { permission: { selected: ['deny'], source: 'human' as const } }
  await submitAnswer(sandbox, { toolCallId, responses })
  await reads(said, '{"send":{"approved":false}}')
})

it('an answer that does not fit the schema is asked for again', async () => {
  const { sandbox, said } = await graph([{ ...where({ type: 'string', minLength: 3 }), name: 'n' }])
  const [first] = await waiting(sandbox)
  const [question] = first.questions
  const answerWith = (toolCallId: string, id: string, freeText: string) =>
    submitAnswer(sandbox, {
      toolCallId,
      responses: { [id]: { selected: [], freeText, source: 'human' } },
    })
  await answerWith(first.toolCallId, question?.id as string, 'no')
  const again = await vi.waitFor(async () => {
    const [view] = await listQuestions(sandbox)
    expect(view).toBeDefined()
    expect(view?.toolCallId).not.toBe(first.toolCallId)
    return view
  })
  expect(again?.questions[0]?.question).toMatch(/Expected: .*3 characters/)
  await answerWith(again?.toolCallId as string, again?.questions[0]?.id as string, 'two')
  await reads(said, '{"n":"two"}')
})

it.skipIf(!node24)('a tool of Mastra that suspends is asked, and goes on with the answer', async () => {
  const program = join(root, 'test/support/ag-ui/mastra.mjs')
  const server = spawn(node24 as string, [program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => stop(server))
  const [url] = await once(server.stdout, 'data')
  const { sandbox, said } = await run({ url: String(url).trim() })
  const [{ toolCallId, questions }] = await waiting(sandbox)
  expect(questions).toMatchObject([
    { id: 'where', multiSelect: true },
    { id: 'why', required: false },
  ])
  expect(questions[0]?.question).toContain('Where to in summer?')
  await submitAnswer(sandbox, {
    toolCallId,
    responses: {
      where: { selected: ['Paris, north', 'Rome'], source: 'human' },
      why: { selected: [], freeText: 'the food', source: 'human' },
    },
  })
  await reads(said, 'told {"where":["Paris, north","Rome"],"why":"the food"}')
})

it('an agent that asks 10,000 things at once is refused plainly, and nobody is asked', async () => {
  const interrupts = Array.from({ length: 10_000 }, (_, index) => ({
    id: `i${index}`,
    reason: 'confirmation',
  }))
  const server = await serveAgUi(async function* () {
    yield { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts } }
  })
  const { sandbox, said, child } = await run(server)
  await once(child, 'exit')
  expect(said()).toContain('The agent asks 10000 things at once. At most 100 can be asked')
  expect(await listQuestions(sandbox)).toEqual([])
})

it('the same call id in a later pause is another question: an earlier permission allows nothing', async () => {
  let round = 0
  const server = await serveAgUi(async function* () {
    if (++round < 3) yield { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [INTERRUPT] } }
    else yield { type: 'RUN_FINISHED' }
  })
  const { sandbox } = await run(server)
  const [first] = await waiting(sandbox)
  const responses = { permission: { selected: ['allow-once'], source: 'human' as const } }
  await submitAnswer(sandbox, { toolCallId: first.toolCallId, responses })
  await vi.waitFor(async () => {
    const [second] = await listQuestions(sandbox)
    expect(second?.toolCallId).toBeDefined()
    expect(second?.toolCallId).not.toBe(first.toolCallId)
  })
  expect(round).toBe(2)
})

const INTERRUPT = { id: 'same', reason: 'tool_call', toolCallId: 'call_1', message: 'Again?' }

it('a denied call ends once, whatever its agent says of it afterwards', async () => {
  const { sandbox, said } = await graph([MAY_SEND])
  const [{ toolCallId }] = await waiting(sandbox)
  const responses = { permission: { selected: ['deny'], source: 'human' as const } }
  await submitAnswer(sandbox, { toolCallId, responses })
  await reads(said, '{"type":"finish"}')
  expect(said()).toContain('"type":"tool-output-error"')
  expect(said()).not.toContain('"type":"tool-output-available"')
})

it('what a person has not sent is no answer, also when the time runs out', async () => {
  const { sandbox, said } = await graph([{ ...WHERE, expiresInMs: 4000 }])
  const [{ toolCallId }] = await waiting(sandbox)
  await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' }, status: 'pending' })
  await reads(said, '"__agui_cancelled__":true')
})

it('a call that is open when the run is stopped is shown as ended', async () => {
  const server = await serveAgUi(async function* () {
    yield { type: 'TOOL_CALL_START', toolCallId: 'call_1', toolCallName: 'search' }
    yield { type: 'TOOL_CALL_END', toolCallId: 'call_1' }
    yield {
      type: 'RUN_FINISHED',
      outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason: 'confirmation' }] },
    }
  })
  const { sandbox, said, child } = await run(server)
  await waiting(sandbox)
  child.kill('SIGINT')
  await reads(said, '"errorText":"The agent did not say how this call ended"')
})
