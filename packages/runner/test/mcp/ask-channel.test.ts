import type { ServerContext } from '@modelcontextprotocol/server'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { askChannel } from '../../src/mcp/ask-channel.ts'
import { type AskMcpOptions, settingsOf } from '../../src/mcp/call.ts'
import { createWorkspace, picked } from '../workspace.ts'

const COLOUR = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }

async function start(_meta: object | undefined, options: AskMcpOptions = {}, more: object = {}) {
  const space = await createWorkspace()
  const controller = new AbortController()
  const notes: unknown[] = []
  const notify = async (note: unknown): Promise<void> => void notes.push(note)
  const ctx = { mcpReq: { _meta, notify, signal: controller.signal }, ...more } as unknown as ServerContext
  const settings = settingsOf({ runId: 'run_1', ...options })
  const result = askChannel(space.channel, { questions: [COLOUR] }, ctx, settings)
  const asked = () =>
    vi.waitFor(async () => {
      const [view] = await space.host.questions()
      if (!view) throw new Error('Nothing is asked yet')
      return view
    })
  return { space, controller, notes, result, asked }
}

it.each([
  [{ 'claudecode/toolUseId': 'toolu_1', callId: 'call_1' }, 'toolu_1'],
  [{ 'claudecode/toolUseId': 5, callId: 'call_1' }, 'call_1'],
  [{ callId: 5 }, expect.stringMatching(/^mcp-[0-9a-f-]{36}$/)],
  [undefined, expect.stringMatching(/^mcp-[0-9a-f-]{36}$/)],
])('the question has the id that the client gives: %j', async (meta, toolCallId) => {
  const { asked, controller, result } = await start(meta)
  expect(await asked()).toMatchObject({ toolCallId, toolName: 'ask_user_question', runId: 'run_1' })
  controller.abort()
  expect(await result).toMatchObject({ structuredContent: { kind: 'aborted' } })
})

it('the answer is the result of the call, and progress says where people answer', async () => {
  const { space, notes, result, asked } = await start(
    { callId: 'call_1', progressToken: 'p' },
    { place: 'the chat' },
  )
  await asked()
  await space.respond('call_1', { q1: picked('Blue') })
  expect(await result).toMatchObject({
    structuredContent: { kind: 'answered', answers: { 'Which colour?': 'Blue' } },
  })
  expect(notes[0]).toMatchObject({ params: { message: 'Waiting for the user to answer in the chat' } })
})

it('the question is withdrawn when the connection of the response is lost', async () => {
  const lost = new AbortController()
  const { result, asked } = await start(undefined, {}, { http: { req: { signal: lost.signal } } })
  await asked()
  lost.abort()
  expect(await result).toMatchObject({ structuredContent: { kind: 'aborted' } })
})

it('the question has the time-out of the server', async () => {
  const clock = createFakeClock()
  const { result, asked } = await start({ callId: 'call_1' }, { timeoutMs: 5000, clock })
  await asked()
  let ended: unknown
  const ending = result.then((value) => {
    ended = value
  })
  // The question may be written before the wait for its answer begins.
  await vi.waitFor(() => {
    clock.advance(5000)
    expect(ended).toMatchObject({ structuredContent: { kind: 'timed-out' } })
  })
  await ending
  expect(clock.pending()).toBe(0)
})
