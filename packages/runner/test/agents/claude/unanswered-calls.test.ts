import type { SessionMessage } from '@anthropic-ai/claude-agent-sdk'
import { describe, expect, it } from 'vitest'
import { unansweredCalls } from '../../../src/agents/claude/unanswered-calls.ts'

const message = (type: 'user' | 'assistant', content: unknown, id?: string) =>
  ({ type, message: { id, content } }) as SessionMessage
const ask = (id: string, messageId = 'm1') =>
  message('assistant', [{ type: 'tool_use', id, name: 'AskUserQuestion', input: { id } }], messageId)
const bash = (id: string) => message('assistant', [{ type: 'tool_use', id, name: 'Bash', input: {} }], 'm1')
const result = (id: string, is_error = false) =>
  message('user', [{ type: 'tool_result', tool_use_id: id, is_error }])
const interruption = message('user', [{ type: 'text', text: '[Request interrupted by user for tool use]' }])
const words = (text: string) => message('assistant', [{ type: 'text', text }], 'm2')

const left = (...transcript: SessionMessage[]) =>
  unansweredCalls(transcript).map(({ toolCallId }) => toolCallId)

describe('unansweredCalls', () => {
  it('finds the questions of the last message that have no result', () => {
    expect(unansweredCalls([message('user', 'Go'), ask('a')])).toEqual([
      { toolCallId: 'a', input: { id: 'a' } },
    ])
    expect(left(ask('a'), bash('b'), ask('c'), result('a'))).toEqual(['c'])
  })

  it('takes a refusal for none when the binary had lost its runner', () => {
    expect(left(ask('a'), result('a', true), interruption)).toEqual(['a'])
    expect(left(ask('a'), ask('b'), result('a'), result('b', true), interruption)).toEqual(['b'])
    expect(left(ask('a'), result('a', true))).toEqual([])
  })

  it('passes over what is no block', () => {
    expect(left(message('assistant', [null], 'm1'), ask('a'))).toEqual(['a'])
  })

  it('leaves alone what the conversation has passed', () => {
    expect(left(ask('a'), words('Never mind.'))).toEqual([])
    expect(left(ask('a'), result('a', true), interruption, words('Hm.'), ask('b', 'm3'))).toEqual(['b'])
    expect(left()).toEqual([])
  })
})
