import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { type Clock, systemClock } from '@sandagent/core'
import { submitAnswer } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { asked, channelOf, connect, type Era, overHttp, tempSandbox } from '../support/mcp.ts'

const FORMS = { elicitation: { form: {} } }
const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const PARTS = { ...COLOUR, question: 'Which parts?', multiSelect: true, allowFreeText: false }
const ask = (client: Client, questions: unknown, _meta = {}) =>
  client.callTool({ name: 'ask_user_question', arguments: { questions }, _meta }) as Promise<CallToolResult>

/** A client whose forms come back with this, and what was in them. */
async function answering(
  answer: () => object | Promise<object>,
  { era = 2025 as Era, name = 'test', via = 'auto' as 'auto' | 'client', clock = systemClock as Clock } = {},
) {
  const sandbox = await tempSandbox()
  const forms: { message: string; requestedSchema: object }[] = []
  const transport = await overHttp({ channel: channelOf(sandbox), via, clock })
  const client = await connect(transport, { era, name, capabilities: FORMS }, (client) =>
    client.setRequestHandler('elicitation/create', ({ params }) => {
      forms.push(params as (typeof forms)[number])
      return answer() as { action: 'accept' }
    }),
  )
  return { sandbox, client, forms }
}

/** On a busy machine, a client that shows nothing is slow too. No time passes here. */
const stillClock: Clock = { ...systemClock, now: () => Date.parse('2026-01-01T00:00:00Z') }

describe.each([2025, 2026] as const)('a client of %i that shows its forms to nobody', (era) => {
  it.each([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }])(
    'leaves the question to the folder, where that may be chosen: %j',
    async (answer) => {
      const { sandbox, client, forms } = await answering(() => answer, { era, clock: stillClock })
      const result = ask(client, [COLOUR])
      const { toolCallId } = await asked(sandbox)
      await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } })
      expect((await result).structuredContent).toMatchObject({ kind: 'answered' })
      expect(forms).toHaveLength(1)
    },
  )

  it('is believed when it leaves out what nobody has to answer', async () => {
    const { client, forms } = await answering(() => ({ action: 'accept', content: {} }), { era })
    const optional = { ...COLOUR, required: false }
    const result = await ask(client, [optional])
    expect(result.structuredContent).toMatchObject({ kind: 'answered', answers: {} })
    expect(result.isError).not.toBe(true)
    expect(forms).toHaveLength(1)
  })

  it('is believed when it took the time of a person', async () => {
    const slow = () => new Promise<object>((resolve) => setTimeout(resolve, 1000, { action: 'decline' }))
    const { client } = await answering(slow, { era })
    expect((await ask(client, [COLOUR])).structuredContent).toMatchObject({ kind: 'declined' })
  })
})

describe('a form that comes back without what it requires', () => {
  it('is no refusal, but shown again, and in the end an error that says so', async () => {
    const { client, forms } = await answering(() => ({ action: 'accept', content: {} }), { via: 'client' })
    const { isError, structuredContent, content } = await ask(client, [PARTS])
    expect({ isError, structuredContent }).toEqual({ isError: true, structuredContent: undefined })
    expect(content).toMatchObject([{ text: expect.stringContaining('expected an answer') }])
    expect(forms.length).toBeGreaterThan(1)
  })
})

describe('Codex, whose forms have no lists', () => {
  it('is given numbers to type', async () => {
    const answer = () => ({ action: 'accept', content: { question_1: '2, 1' } })
    const { client, forms } = await answering(answer, { name: 'codex-mcp-client', via: 'client' })
    expect((await ask(client, [PARTS])).structuredContent).toMatchObject({
      kind: 'answered',
      answers: { 'Which parts?': 'Blue, Red' },
    })
    expect(JSON.stringify(forms)).not.toContain('array')
  })

  it('names its call, and the question has that name', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await overHttp({ channel: channelOf(sandbox) }))
    const result = ask(client, [COLOUR], { callId: 'call_7' })
    expect(await asked(sandbox)).toMatchObject({ toolCallId: 'call_7' })
    await submitAnswer(sandbox, { toolCallId: 'call_7', answers: { 'Which colour?': 'Red' } })
    expect((await result).structuredContent).toMatchObject({ kind: 'answered' })
  })
})
