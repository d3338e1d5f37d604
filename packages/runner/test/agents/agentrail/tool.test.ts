import { expect, it } from 'vitest'
import type { AskRegistry } from '../../../src/agentrail.ts'
import { askUserCapability, createAskRegistry, createAskUserQuestionTool } from '../../../src/agentrail.ts'
import { createWorkspace, picked } from '../../workspace.ts'

const COLOUR = { question: 'Which colour?', options: ['Red', 'Blue'] }

/** A registry that answers at once, and what was registered. */
function answering() {
  const registered: unknown[][] = []
  const registry: AskRegistry = {
    async register(...args) {
      registered.push(args)
      args[2]?.onWaiting?.({ type: 'waiting_for_user_input', toolCallId: 'a', ...COLOUR } as never)
      return 'Red'
    },
  }
  return { registry, registered }
}

it('the tool registers its call, tells of the wait, and returns the answer', async () => {
  const { registry, registered } = answering()
  const events: unknown[] = []
  const signals: unknown[] = []
  const { signal } = new AbortController()
  const tool = createAskUserQuestionTool('s', registry, { onEvent: (event) => events.push(event) })
  expect(await tool.execute('a', COLOUR, signal, undefined, (event) => signals.push(event))).toEqual({
    content: [{ type: 'text', text: 'Red' }],
    details: { question: 'Which colour?', answer: 'Red' },
  })
  expect(registered).toMatchObject([['s', 'Which colour?', { toolCallId: 'a', request: COLOUR, signal }]])
  expect(events).toEqual([{ type: 'waiting_for_user_input', toolCallId: 'a', ...COLOUR }])
  expect(signals).toEqual([{ type: 'waiting_for_input', ...COLOUR }])
})

it('the tool needs no listeners, and refuses what cannot be asked', async () => {
  const { registry, registered } = answering()
  const tool = createAskUserQuestionTool('s', registry)
  expect(tool).toMatchObject({
    name: 'AskUserQuestion',
    label: 'Ask the user',
    description: expect.stringMatching(/\w/),
    parameters: { type: 'object' },
  })
  expect((await tool.execute('a', COLOUR)).details.answer).toBe('Red')
  await expect(tool.execute('b', {})).rejects.toMatchObject({ code: 'INVALID_QUESTIONS' })
  expect(registered).toHaveLength(1)
})

it('the capability builds the tool of a session', async () => {
  const { registry, registered } = answering()
  const { type, buildTools } = askUserCapability(registry)
  const tools = await buildTools({ sessionId: 's2' })
  expect([type, tools.length]).toEqual(['ask-user', 1])
  await tools[0]?.execute('a', COLOUR)
  expect(registered[0]?.[0]).toBe('s2')
})

it('a registered call tells of its wait once, and a settled one does not', async () => {
  const space = await createWorkspace()
  const sessions: string[] = []
  const registry = createAskRegistry({
    channel: (sessionId) => {
      sessions.push(sessionId)
      return space.channel
    },
  })
  const events: unknown[] = []
  const call = {
    toolCallId: 'a',
    request: COLOUR,
    onWaiting: (event: unknown) => {
      events.push(event)
      void space.respond('a', { q1: picked('Blue') })
    },
  }
  expect(await registry.register('s', 'Which colour?', call)).toBe('Blue')
  expect(await registry.register('s', 'Which colour?', call)).toBe('Blue')
  expect(events).toMatchObject([{ type: 'waiting_for_user_input', toolCallId: 'a' }])
  expect(sessions).toEqual(['s', 's'])
  expect(await space.record('a')).toMatchObject({ runId: 's' })
})

it('a registry asks in words alone without a call, and fails with words for the model', async () => {
  const space = await createWorkspace()
  const registry = createAskRegistry({ channel: space.channel, timeoutMs: 0 })
  const failure = await registry.register('s', 'Which name?').catch((error: unknown) => error)
  expect(failure).toMatchObject({
    name: 'UnansweredError',
    message: expect.stringContaining('Nobody answered'),
    outcome: { kind: 'timed-out' },
  })
  expect(String(failure)).toBe((failure as Error).message)
  expect(await space.host.questions()).toMatchObject([
    { toolCallId: expect.stringMatching(/^[0-9a-f-]{36}$/), questions: [{ question: 'Which name?' }] },
  ])
})

it('the signal of a call withdraws its question', async () => {
  const space = await createWorkspace()
  const registry = createAskRegistry({ channel: space.channel })
  const stop = new AbortController()
  const call = { toolCallId: 'a', request: COLOUR, signal: stop.signal, onWaiting: () => stop.abort() }
  await expect(registry.register('s', 'Which colour?', call)).rejects.toMatchObject({
    outcome: { kind: 'aborted' },
  })
})
