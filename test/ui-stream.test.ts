import { type Outcome, parseQuestions } from '@sandagent/core'
import { createUiStream, type UiStream, writeOutcome } from '@sandagent/runner'
import * as ai5 from 'ai-5'
import * as ai6 from 'ai-6'
import * as ai7 from 'ai-7'
import { describe, expect, it } from 'vitest'
import { messageOf } from './support/models/ui-message.ts'

const versions = [
  ['5', ai5],
  ['6', ai6],
  ['7', ai7],
] as unknown as ReadonlyArray<readonly [string, typeof ai7]>

const call = { toolCallId: 'call_1', toolName: 'AskUserQuestion' }
const questions = parseQuestions([{ id: 'q', question: 'Which?', options: [{ label: 'a, b' }] }])
const answered: Outcome = {
  kind: 'answered',
  toolCallId: 'call_1',
  questions,
  answers: {},
  responses: { q: { selected: ['a, b'], source: 'human' } },
  unanswered: [],
  settledAt: '2025-01-30T12:00:00.000Z',
  elapsedMs: 1000,
}

/** The text of a stream. */
async function stream(write: (ui: UiStream) => Promise<void>): Promise<string> {
  const events: string[] = []
  await write(createUiStream((event) => void events.push(event)))
  return events.join('')
}

async function everyChunk(ui: UiStream): Promise<void> {
  await ui.start('message-1')
  await ui.startStep()
  await ui.textStart('t')
  await ui.textDelta('t', 'Hel')
  await ui.textDelta('t', 'lo')
  await ui.textEnd('t')
  await ui.toolInputStart(call)
  await ui.toolInputDelta('call_1', '{"questions":')
  await ui.toolInput({ ...call, input: { questions } })
  await writeOutcome(ui, answered)
  await ui.data('run', { step: 1 }, 'run')
  await ui.data('run', { step: 2 }, 'run')
  await ui.finishStep()
  await ui.finish()
  await ui.done()
}

describe.each(versions)('the UI stream as AI SDK %s reads it', (_, ai) => {
  it('holds chunks that its schema accepts, each as it is', async () => {
    const text = await stream(async (ui) => {
      await everyChunk(ui)
      await ui.toolError('call_1', 'no')
      await ui.error('failed')
      await ui.abort()
    })
    const chunks = text
      .split('\n\n')
      .filter((event) => event !== '' && event !== 'data: [DONE]')
      .map((event) => JSON.parse(event.slice('data: '.length)))
    expect(new Set(chunks.map(({ type }) => type)).size).toBe(15)
    for (const chunk of chunks)
      expect(await ai.asSchema(ai.uiMessageChunkSchema).validate?.(chunk)).toEqual({
        success: true,
        value: chunk,
      })
  })

  it('makes one message of text, an answered question and data', async () => {
    const message = await messageOf(ai, await stream(everyChunk))
    expect(message?.id).toBe('message-1')
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'Hello', state: 'done' },
      {
        type: 'dynamic-tool',
        ...call,
        state: 'output-available',
        input: { questions },
        output: {
          questions,
          answers: { 'Which?': 'a, b' },
          responses: answered.responses,
          status: 'answered',
        },
        providerExecuted: true,
      },
      { type: 'data-run', id: 'run', data: { step: 2 } },
    ])
  })

  it('shows a question that waits as one that waits', async () => {
    const text = await stream(async (ui) => {
      await ui.start('message-1')
      await ui.toolInput({ ...call, input: { questions } })
    })
    expect((await messageOf(ai, text))?.parts).toMatchObject([{ ...call, state: 'input-available' }])
  })

  it('shows a refusal as an error, never as an output', async () => {
    const text = await stream(async (ui) => {
      await ui.start('message-1')
      await ui.toolInput({ ...call, input: { questions } })
      await writeOutcome(ui, { ...answered, kind: 'declined', responses: {}, unanswered: ['q'] })
      await ui.finish()
    })
    expect((await messageOf(ai, text))?.parts).toMatchObject([
      { ...call, state: 'output-error', errorText: expect.stringContaining('declined') },
    ])
  })

  it('does not make the chat send itself again once a question is answered', async () => {
    const message = await messageOf(ai, await stream(everyChunk))
    expect(ai.lastAssistantMessageIsCompleteWithToolCalls({ messages: [message as ai7.UIMessage] })).toBe(
      false,
    )
  })
})
