import { AskError, type QuestionRecord } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { receiptsWritten } from '../../src/index.ts'
import { createElicitationHandler, type ElicitationHandlerOptions } from '../../src/mcp-client.ts'
import { createWorkspace, picked, typed, type Workspace, watched } from '../workspace.ts'

const form = (properties: object, required: string[] = []) => ({
  params: { message: 'Some facts, please', requestedSchema: { type: 'object', properties, required } },
})
const AGE = { type: 'integer', minimum: 0, maximum: 150 }
// What no field checks by itself.
const CODE = { type: 'string', minLength: 2, maxLength: 4 }

let space: Workspace
beforeEach(async () => {
  space = await createWorkspace()
})

const handle = (
  request: { params?: unknown },
  options: Partial<ElicitationHandlerOptions> = {},
  context: Parameters<ReturnType<typeof createElicitationHandler>>[1] = {},
) => createElicitationHandler({ channel: space.channel, runId: 'run_1', ...options })(request, context)

/** The question that waits, once those before it have their receipts. */
const asked = (): Promise<QuestionRecord> =>
  vi.waitFor(async () => {
    await receiptsWritten()
    const open = (await space.host.questions()).filter(({ state }) => state === 'open')
    expect(open).toHaveLength(1)
    return open[0] as QuestionRecord
  })

describe('createElicitationHandler', () => {
  it('asks on the channel, with the server’s name, and returns typed values', async () => {
    const result = handle(form({ name: { type: 'string' }, age: AGE }, ['name']), { serverName: 'weather' })
    const { toolCallId, questions, toolName, runId } = await asked()
    expect(questions).toMatchObject([
      { id: 'name', question: 'weather: Some facts, please\n\nname', required: true },
      { id: 'age', required: false },
    ])
    expect({ toolName, runId }).toEqual({ toolName: 'elicitation/create', runId: 'run_1' })
    await space.respond(toolCallId, { name: typed('Zoë'), age: typed('42') })
    expect(await result).toEqual({ action: 'accept', content: { name: 'Zoë', age: 42 } })
  })

  it('asks again, for what does not fit alone, and keeps the rest', async () => {
    const result = handle(form({ name: { type: 'string' }, code: CODE }))
    const first = await asked()
    await space.respond(first.toolCallId, { name: typed('Zoë'), code: typed('x') })
    const second = await vi.waitFor(async () => {
      const record = await asked()
      expect(record.toolCallId).not.toBe(first.toolCallId)
      return record
    })
    expect(second.questions).toMatchObject([
      { id: 'code', question: expect.stringMatching(/Expected: 2 to 4 characters, not "x"$/) },
    ])
    await space.respond(second.toolCallId, { code: typed('42') })
    expect(await result).toEqual({ action: 'accept', content: { name: 'Zoë', code: '42' } })
  })

  it('asks as often as it must, each time under another id', async () => {
    const result = handle(form({ code: CODE }))
    const ids: string[] = []
    for (const text of ['x', 'far too long', '42']) {
      const { toolCallId } = await vi.waitFor(async () => {
        const record = await asked()
        expect(ids).not.toContain(record.toolCallId)
        return record
      })
      ids.push(toolCallId)
      await space.respond(toolCallId, { code: typed(text) })
    }
    expect(await result).toEqual({ action: 'accept', content: { code: '42' } })
    expect(ids.slice(1)).toEqual([`${ids[0]}-2`, `${ids[0]}-3`])
  })

  it('asks five times at most', async () => {
    const result = handle(form({ code: { type: 'string', minLength: 4 } }))
    const ids: string[] = []
    for (let round = 1; round <= 5; round++) {
      const { toolCallId } = await vi.waitFor(async () => {
        const record = await asked()
        expect(ids).not.toContain(record.toolCallId)
        return record
      })
      ids.push(toolCallId)
      await space.respond(toolCallId, { code: typed('abc') })
    }
    expect(await result).toEqual({ action: 'cancel' })
  })

  it('declines when the person declines, at first or when asked again', async () => {
    const atFirst = handle(form({ code: CODE }))
    await space.respond((await asked()).toolCallId, {}, { status: 'declined' })
    expect(await atFirst).toEqual({ action: 'decline' })

    const later = handle(form({ code: CODE }))
    await space.respond((await asked()).toolCallId, { code: typed('x') })
    const { toolCallId } = await vi.waitFor(async () => {
      const record = await asked()
      expect(record.toolCallId).toMatch(/-2$/)
      return record
    })
    await space.respond(toolCallId, {}, { status: 'declined' })
    expect(await later).toEqual({ action: 'decline' })
  })

  it('asks under the id of the tool call that ACP names, once', async () => {
    const handler = createElicitationHandler({ channel: space.channel })
    const params = { ...form({ age: AGE }).params, sessionId: 's', toolCallId: 'toolu_1' }
    const first = handler({ params })
    expect(await asked()).toMatchObject({ toolCallId: 'toolu_1' })
    await space.respond('toolu_1', { age: typed('42') })
    expect(await first).toEqual({ action: 'accept', content: { age: 42 } })

    const second = handler({ params })
    const { toolCallId } = await asked()
    expect(toolCallId).not.toBe('toolu_1')
    await space.respond(toolCallId, { age: typed('43') })
    expect(await second).toEqual({ action: 'accept', content: { age: 43 } })
  })

  it('makes one question of a choice and the words beside it, counted from 0 as by the ACP adapter', async () => {
    const choice = { type: 'string', title: 'Colour', enum: ['Red', 'Blue'] }
    const result = handle(form({ question_0: choice, question_0_custom: { type: 'string', title: 'Other' } }))
    const { toolCallId, questions } = await asked()
    expect(questions).toMatchObject([{ id: 'question_0', question: expect.stringMatching(/Colour$/) }])
    expect(questions[0]?.header).toBeUndefined()
    await space.respond(toolCallId, { question_0: typed('Teal') })
    expect(await result).toEqual({ action: 'accept', content: { question_0_custom: 'Teal' } })
  })

  it('cancels when nobody sends an answer in time, also over a draft', async () => {
    const clock = createFakeClock()
    const { channel, draftSeen } = watched(space.channel)
    const result = handle(form({ age: AGE }), { channel, timeoutMs: 1000, clock })
    const { toolCallId } = await asked()
    await vi.waitFor(() => expect(clock.pending()).toBeGreaterThan(0))
    const timestamp = new Date(clock.now()).toISOString()
    await space.respond(toolCallId, { age: typed('42') }, { status: 'pending', timestamp })
    await draftSeen
    clock.advance(1001)
    expect(await result).toEqual({ action: 'cancel' })
    expect(clock.pending()).toBe(0)
  })

  it.each([
    ['2', (signal: AbortSignal) => ({ mcpReq: { signal } })],
    ['1', (signal: AbortSignal) => ({ signal })],
  ])('withdraws the question when the server takes its request back, in the SDK %s', async (_, context) => {
    const stop = new AbortController()
    const result = handle(form({ age: AGE }), {}, context(stop.signal))
    const { toolCallId } = await asked()
    stop.abort()
    expect(await result).toEqual({ action: 'cancel' })
    expect(await space.record(toolCallId)).toMatchObject({ state: 'aborted' })
  })

  it('accepts a page only with consent, and opens nothing', async () => {
    const url = 'https://example.com/login'
    const page = { params: { mode: 'url', message: 'Sign in', url, elicitationId: '1' } }
    const agreed = handle(page)
    const { toolCallId, questions } = await asked()
    expect(questions).toMatchObject([{ question: expect.stringContaining(url), allowFreeText: false }])
    await space.respond(toolCallId, { q1: picked('accept') })
    expect(await agreed).toEqual({ action: 'accept' })

    const refused = handle(page)
    await space.respond((await asked()).toolCallId, { q1: picked('decline') })
    expect(await refused).toEqual({ action: 'decline' })
  })

  it('throws “Invalid params” for what cannot be shown, and asks nobody', async () => {
    await expect(handle(form({ age: { type: 'object' } }))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('requestedSchema.properties.age.type'),
    })
    await expect(handle({})).rejects.toMatchObject({ code: -32602 })
    await expect(
      handle(form({ code: { type: 'string', minLength: 3, maxLength: 2 } })),
    ).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('requestedSchema.properties.code'),
    })
    expect(await space.host.questions()).toEqual([])
  })

  it('throws what keeps it from asking, as it is', async () => {
    const away = new AskError('UNREACHABLE', 'The folder cannot be reached')
    const channel = { ...space.channel, open: () => Promise.reject(away) }
    await expect(handle(form({ age: AGE }), { channel })).rejects.toBe(away)
  })
})
