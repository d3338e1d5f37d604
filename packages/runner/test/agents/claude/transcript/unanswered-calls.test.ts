import type { SessionMessage } from '@anthropic-ai/claude-agent-sdk'
import { describe, expect, it } from 'vitest'
import type { ClaudeQuestions } from '../../../../src/agents/claude/questions.ts'
import { askAgain, unansweredCalls } from '../../../../src/agents/claude/transcript/unanswered-calls.ts'
import { CallWriter } from '../../../../src/run/call-writer.ts'
import { recordUi } from '../../../ui-recorder.ts'

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

describe('askAgain', () => {
  const callOf = (toolCallId: string) => ({
    toolCallId,
    input: {
      questions: [
        {
          question: `Which ${toolCallId}?`,
          header: 'H',
          options: [{ label: 'A' }, { label: 'B' }],
          multiSelect: false,
        },
      ],
    },
  })

  /** Asks for these calls. Those that are named have no answer in time. */
  async function again(ids: string[], waitMs: number | undefined, ...missing: string[]) {
    const { ui, chunks } = recordUi()
    const calls = new CallWriter(ui)
    const asked: unknown[] = []
    const outcomeOf = async ({ toolCallId, questions }: { toolCallId: string; questions: unknown }) =>
      missing.includes(toolCallId)
        ? null
        : { kind: 'declined', toolCallId, questions, responses: {}, unanswered: ['q1'], reason: toolCallId }
    const questions = {
      ask: (request: never) => {
        asked.push(['for ever', request])
        return outcomeOf(request)
      },
      askFor: (forMs: number, request: never) => {
        asked.push([forMs, request])
        return outcomeOf(request)
      },
    } as unknown as ClaudeQuestions
    for (const id of ids) await calls.show({ ...callOf(id), toolName: 'AskUserQuestion' })
    const text = await askAgain(ids.map(callOf), questions, calls, 'run_1', waitMs)
    const ended = chunks()
      .filter(({ type }) => type === 'tool-output-error')
      .map(({ toolCallId }) => toolCallId)
    return { text, asked, ended }
  }

  it('tells the model that nothing was rejected, and each outcome', async () => {
    const { text, asked, ended } = await again(['a', 'b'], undefined)
    const [opening, ...outcomes] = (text ?? '').split('\n\n')
    expect(opening).toBe('The session broke off while you waited for the user; nothing was rejected.')
    expect(outcomes).toEqual([
      expect.stringContaining('declined to answer, saying "a"'),
      expect.stringContaining('declined to answer, saying "b"'),
    ])
    expect(asked).toMatchObject([
      ['for ever', { toolCallId: 'a', runId: 'run_1', questions: [{ question: 'Which a?' }] }],
      ['for ever', { toolCallId: 'b' }],
    ])
    expect(ended).toEqual(['a', 'b'])
  })

  it('ends with nothing while an answer is missing, and shows those that came', async () => {
    const { text, asked, ended } = await again(['a', 'b'], 5000, 'b')
    expect(text).toBeNull()
    expect(asked).toMatchObject([
      [5000, { toolCallId: 'a' }],
      [5000, { toolCallId: 'b' }],
    ])
    expect(ended).toEqual(['a'])
  })
})
