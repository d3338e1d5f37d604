import { type ElicitRequestFormParams, InMemoryTransport, McpServer } from '@modelcontextprotocol/server'
import type { Outcome } from '@sandagent/core'
import { createElicitationHandler, type ElicitationHandlerOptions } from '@sandagent/runner/mcp-client'
import { declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, vi } from 'vitest'
import { agentRow, lost } from '../support/matrix/agent-row.ts'
import { asked, channelOf, connect, tempSandbox } from '../support/mcp.ts'

type Fields = ElicitRequestFormParams['requestedSchema']['properties']

const PLACE = { type: 'string' as const, title: 'Where to?', enum: ['Paris, north', 'Rome'] }

/** MCP's own server, whose tools ask by these forms at once, and what each got. */
async function start(forms: Fields[], options: Omit<ElicitationHandlerOptions, 'channel'> = {}) {
  const sandbox = await tempSandbox()
  const server = new McpServer({ name: 'travel', version: '1.0.0' })
  const stop = new AbortController()
  server.registerTool('travel', {}, async (ctx) => {
    const results = await Promise.all(
      forms.map((properties) =>
        ctx.mcpReq
          .elicitInput(
            { mode: 'form', message: 'Travel', requestedSchema: { type: 'object', properties } },
            { signal: stop.signal, timeout: 600_000 },
          )
          .catch(() => 'given up'),
      ),
    )
    return { content: [{ type: 'text', text: JSON.stringify(results) }] }
  })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await server.connect(there)
  const handler = createElicitationHandler({ channel: channelOf(sandbox), ...options })
  const client = await connect(here, { capabilities: { elicitation: { form: {} } } }, (connecting) =>
    connecting.setRequestHandler('elicitation/create', handler),
  )
  const call = client.callTool({ name: 'travel', arguments: {} }, { timeout: 600_000 })
  call.catch(() => {}) // It is awaited by the test.
  const results = async (): Promise<unknown[]> => {
    const { content } = (await call) as { content: { text: string }[] }
    return JSON.parse(String(content[0]?.text))
  }
  return { sandbox, results, stop }
}

/** The results of a form with one field, after a person's answer. */
async function answered(field: Fields[string], given: Outcome['responses'][string]): Promise<unknown> {
  const { sandbox, results } = await start([{ place: field }])
  const { toolCallId } = await asked(sandbox)
  await submitAnswer(sandbox, { toolCallId, status: 'completed', responses: { place: given } })
  return (await results())[0]
}

const accepted = (place: string | string[]) => ({ action: 'accept', content: { place } })

agentRow('MCP servers', {
  'single choice': async () =>
    expect(await answered(PLACE, { selected: ['Rome'], source: 'human' })).toEqual(accepted('Rome')),
  'several choices with commas': async () => {
    const several = { type: 'array' as const, items: { type: 'string' as const, enum: PLACE.enum } }
    const selected = ['Paris, north', 'Rome']
    expect(await answered(several, { selected, source: 'human' })).toEqual(accepted(selected))
  },
  'own words': async () => {
    const freeText = 'home, to Łódź'
    const given = { selected: [], freeText, source: 'human' as const }
    expect(await answered({ type: 'string' }, given)).toEqual(accepted(freeText))
  },
  notes: lost('A field has one value. A note beside a choice would be another answer.'),
  previews: lost('A form has no place for them.'),
  defaults: async () => {
    const { sandbox, results } = await start([{ place: { ...PLACE, default: 'Rome' } }])
    const { toolCallId } = await asked(sandbox)
    await submitAnswer(sandbox, { toolCallId, status: 'completed', responses: {} })
    expect(await results()).toEqual([accepted('Rome')])
  },
  decline: async () => {
    const { sandbox, results } = await start([{ place: PLACE }])
    const { toolCallId } = await asked(sandbox)
    await declineQuestion(sandbox, { toolCallId })
    expect(await results()).toEqual([{ action: 'decline' }])
  },
  'time-out': async () => {
    const { results } = await start([{ place: PLACE }], { timeoutMs: 1 })
    expect(await results()).toEqual([{ action: 'cancel' }])
  },
  cancel: async () => {
    const { sandbox, results, stop } = await start([{ place: PLACE }])
    await asked(sandbox)
    stop.abort()
    expect(await results()).toEqual(['given up'])
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
  },
  'two at once': async () => {
    const { sandbox, results } = await start([{ place: PLACE }, { time: { type: 'string' } }])
    const views = await asked(sandbox, 2)
    for (const { toolCallId, questions } of views) {
      const id = String(questions[0]?.id)
      const given = id === 'place' ? { selected: ['Rome'] } : { selected: [], freeText: 'soon' }
      const responses = { [id]: { ...given, source: 'human' as const } }
      await submitAnswer(sandbox, { toolCallId, status: 'completed', responses })
    }
    expect(await results()).toEqual([accepted('Rome'), { action: 'accept', content: { time: 'soon' } }])
  },
  restart: lost(
    'A request of a server ends with its connection, and has no name: asked again, it is another one.',
  ),
})
