import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { declineQuestion, type LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { expect, vi } from 'vitest'
import { agentRow } from '../support/matrix/agent-row.ts'
import {
  asked,
  channelOf,
  connect,
  overHttp,
  recordOf,
  sandagent,
  startProgram,
  tempSandbox,
} from '../support/mcp.ts'
import { connectWithTasks } from '../support/mcp-tasks.ts'

const PLACES = { question: 'Where to?', options: [{ label: 'Paris, north' }, { label: 'Rome' }] }

/** MCP's own client, whose model calls our tool once. */
async function start(questions: object[], options: object = {}) {
  const sandbox = await tempSandbox()
  const client = await connect(await overHttp({ channel: channelOf(sandbox), ...options }), { era: 2026 })
  return { sandbox, client, result: call(client, questions) }
}

const call = (
  client: Client,
  questions: object[],
  { signal } = new AbortController(),
): Promise<CallToolResult> => {
  const result = client.callTool({ name: 'ask_user_question', arguments: { questions } }, { signal })
  result.catch(() => {}) // It is awaited by the test.
  return result as Promise<CallToolResult>
}

async function answer(sandbox: LocalSandbox, given: object): Promise<void> {
  const { toolCallId } = await asked(sandbox)
  await submitAnswer(sandbox, { toolCallId, ...given })
}

const contentOf = async (result: Promise<CallToolResult>) => (await result).structuredContent

agentRow('MCP clients', {
  'single choice': async () => {
    const { sandbox, result } = await start([PLACES])
    await answer(sandbox, { answers: { 'Where to?': 'Rome' } })
    expect(await contentOf(result)).toMatchObject({ answers: { 'Where to?': 'Rome' } })
  },
  'several choices with commas': async () => {
    const { sandbox, result } = await start([{ ...PLACES, multiSelect: true }])
    await answer(sandbox, { answers: { 'Where to?': '"Paris, north", Rome' } })
    expect(await contentOf(result)).toMatchObject({
      responses: { q1: { selected: ['Paris, north', 'Rome'] } },
    })
  },
  'own words': async () => {
    const { sandbox, result } = await start([PLACES])
    await answer(sandbox, { answers: { 'Where to?': 'home, to Łódź' } })
    expect(await contentOf(result)).toMatchObject({ answers: { 'Where to?': 'home, to Łódź' } })
  },
  notes: async () => {
    const { sandbox, result } = await start([PLACES])
    const responses = { q1: { selected: ['Rome'], notes: 'by train', source: 'human' } }
    await answer(sandbox, { status: 'completed', responses })
    expect(await contentOf(result)).toMatchObject({ responses: { q1: { notes: 'by train' } } })
  },
  previews: async () => {
    const options = [{ label: 'Map', preview: '# A map' }, { label: 'List' }]
    const { sandbox } = await start([{ question: 'How?', options }])
    const { questions } = await asked(sandbox)
    expect(questions[0]?.options?.[0]?.preview).toBe('# A map')
  },
  defaults: async () => {
    const { result } = await start([{ ...PLACES, defaultOption: 'Rome' }], {
      timeoutMs: 1,
      timeoutPolicy: 'defaults',
    })
    expect(await contentOf(result)).toMatchObject({
      responses: { q1: { selected: ['Rome'], source: 'default' } },
    })
  },
  decline: async () => {
    const { sandbox, result } = await start([PLACES])
    const { toolCallId } = await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId, reason: 'not now' })
    expect(await result).toMatchObject({ isError: true, structuredContent: { kind: 'declined' } })
  },
  'time-out': async () => {
    const { result } = await start([PLACES], { timeoutMs: 1 })
    expect(await contentOf(result)).toMatchObject({ kind: 'timed-out' })
  },
  cancel: async () => {
    const { sandbox, client } = await start([PLACES])
    const first = await asked(sandbox)
    const stop = new AbortController()
    void call(client, [{ question: 'When?' }], stop)
    const second = (await asked(sandbox, 2)).find(({ toolCallId }) => toolCallId !== first.toolCallId)
    stop.abort()
    await vi.waitFor(async () =>
      expect(await recordOf(sandbox, String(second?.toolCallId))).toMatchObject({ state: 'aborted' }),
    )
    expect((await asked(sandbox)).toolCallId).toBe(first.toolCallId)
  },
  'two at once': async () => {
    const { sandbox, client, result } = await start([PLACES])
    const where = await asked(sandbox)
    const other = call(client, [{ question: 'When?' }])
    const views = await asked(sandbox, 2)
    const when = views.find(({ toolCallId }) => toolCallId !== where.toolCallId)
    await submitAnswer(sandbox, { toolCallId: String(when?.toolCallId), answers: { 'When?': 'soon' } })
    expect(await contentOf(other)).toMatchObject({ answers: { 'When?': 'soon' } })
    await submitAnswer(sandbox, { toolCallId: where.toolCallId, answers: { 'Where to?': 'Rome' } })
    expect(await contentOf(result)).toMatchObject({ answers: { 'Where to?': 'Rome' } })
  },
  // By the tasks of MCP: other clients withdraw what they asked with their connection.
  restart: async () => {
    const sandbox = await tempSandbox()
    const command = [sandagent, 'mcp', '--workdir', sandbox.workdir]
    const before = await connectWithTasks(startProgram(...command))
    const params = { name: 'ask_user_question', arguments: { questions: [PLACES] } }
    await before.dispatch({ method: 'tools/call', params })
    const { toolCallId } = await asked(sandbox)
    await before.client.close()
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Rome' } })
    const { dispatch } = await connectWithTasks(startProgram(...command))
    await vi.waitFor(async () =>
      expect(await dispatch({ method: 'tasks/get', params: { taskId: toolCallId } })).toMatchObject({
        result: { result: { structuredContent: { answers: { 'Where to?': 'Rome' } } } },
      }),
    )
  },
})
