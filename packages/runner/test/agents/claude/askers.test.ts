import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { Askers } from '../../../src/agents/claude/askers.ts'

function start() {
  const clock = createFakeClock()
  const askers = new Askers(clock)
  const note = (message: object): void => askers.note(message as SDKMessage)
  /** A message of a subagent, or of the main agent, which makes calls. */
  const say = (parent: string | null, agent: string | undefined, ...ids: string[]): void =>
    note({
      type: 'assistant',
      parent_tool_use_id: parent,
      subagent_type: agent,
      message: { content: [{ type: 'text', text: '' }, ...ids.map((id) => ({ type: 'tool_use', id }))] },
    })
  return { clock, askers, note, say }
}

it('a call of the main agent has no asker, and nothing is waited for', async () => {
  const { clock, askers, say } = start()
  say('parent', 'reviewer', 'a')
  expect(await askers.of('a', undefined)).toBeUndefined()
  expect(clock.pending()).toBe(0)
})

it('a call of a subagent has its name and the call that started it', async () => {
  const { clock, askers, say } = start()
  say('parent', 'reviewer', 'a', 'b')
  say('other', undefined, 'c')
  say('other', '', 'd')
  const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => askers.of(id, 'agent')))
  expect(found).toEqual([
    { agent: 'reviewer', parentToolCallId: 'parent' },
    { agent: 'reviewer', parentToolCallId: 'parent' },
    { parentToolCallId: 'other' },
    { parentToolCallId: 'other' },
  ])
  expect(clock.pending()).toBe(0)
})

it('a message that comes later is waited for', async () => {
  const { clock, askers, say } = start()
  const asker = askers.of('a', 'agent')
  say('parent', 'reviewer', 'b')
  clock.advance(999)
  expect(clock.pending()).toBe(1)
  say('parent', 'reviewer', 'a')
  expect(await asker).toEqual({ agent: 'reviewer', parentToolCallId: 'parent' })
  expect(clock.pending()).toBe(0)
})

it('a subagent whose message is missing after a second has no name', async () => {
  const { clock, askers, say } = start()
  const asker = askers.of('a', 'agent')
  clock.advance(1000)
  expect(await asker).toEqual({})
  say('parent', 'reviewer', 'a')
  expect(await askers.of('a', 'agent')).toEqual({ agent: 'reviewer', parentToolCallId: 'parent' })
})

it('messages of the main agent and of others name nobody', async () => {
  const { clock, askers, note, say } = start()
  say(null, 'reviewer', 'a')
  note({ type: 'user', parent_tool_use_id: 'parent', message: { content: [{ type: 'tool_use', id: 'a' }] } })
  note({
    type: 'assistant',
    parent_tool_use_id: 'parent',
    message: { content: [{ type: 'server_tool_use', id: 'a' }] },
  })
  const asker = askers.of('a', 'agent')
  clock.advance(1000)
  expect(await asker).toEqual({})
})
