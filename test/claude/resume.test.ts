import { describe, expect, it } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

const ask = (...words: string[]) =>
  call('AskUserQuestion', {
    questions: words.map((question) => ({
      question,
      header: 'Choice',
      options: ['A', 'B'].map((label) => ({ label, description: `About ${label}` })),
      multiSelect: false,
    })),
  })
const ANSWERED = {
  text: 'Your questions have been answered: "Which?"="B". You can now continue with these answers in mind.',
  isError: false,
}

describe('a session that is resumed', () => {
  it('goes on with what was said before', async () => {
    const { api, start } = await createClaudeWorkspace([[text('Hello.')], [text('Again.')]])
    const first = start()
    await first.ended
    const second = start({ resume: first.sessionId() }, { prompt: 'Go on' })
    await second.ended
    expect(second.sessionId()).toBe(first.sessionId())
    expect(api.lastPrompt()).toBe('Go on')
    expect(api.requests[1]?.messages).toHaveLength(3)
  })
})

describe('a question that is deferred', () => {
  it('is answered while no run is there, and the next run goes on with the answer', async () => {
    const asked = ask('Which?')
    const { api, start, answer, record } = await createClaudeWorkspace([
      [text('Well.'), asked],
      [text('Fine.')],
    ])
    const first = start({ deferAfterMs: 100 })
    await first.ended
    expect(await record(asked.id)).toMatchObject({ state: 'open' })
    expect(api.requests).toHaveLength(1)
    expect(first.chunks.at(-1)).toEqual({ type: 'finish' })
    expect(first.chunks).toContainEqual({
      type: 'message-metadata',
      messageMetadata: expect.objectContaining({ deferred: { toolCallId: asked.id } }),
    })

    await answer(asked.id, { answers: { 'Which?': 'B' } })
    const second = start({ resume: first.sessionId() }, { prompt: '' })
    await second.ended
    expect(api.resultOf(asked.id)).toEqual(ANSWERED)
    expect(api.requests).toHaveLength(2)
    expect(await record(asked.id)).toMatchObject({ state: 'answered' })
    expect(second.chunks.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['tool-input-available', 'tool-output-available', 'text-delta']),
    )
  })

  it('waits on in the next run, under the same id, and can be deferred again', async () => {
    const asked = ask('Which?')
    const { api, start, answer, record, asked: isAsked } = await createClaudeWorkspace([[asked]])
    const first = start({ deferAfterMs: 100 })
    await first.ended
    const before = await record(asked.id)
    const second = start({ resume: first.sessionId(), deferAfterMs: 100 }, { prompt: '' })
    await second.ended
    expect(await record(asked.id)).toEqual(before)

    const third = start({ resume: first.sessionId() }, { prompt: '' })
    await isAsked(asked.id)
    await answer(asked.id, { answers: { 'Which?': 'B' } })
    await third.ended
    expect(api.resultOf(asked.id)).toEqual(ANSWERED)
    expect(api.requests).toHaveLength(2)
  })

  it('is answered first when the next run has a prompt too', async () => {
    const asked = ask('Which?')
    const { api, start, answer } = await createClaudeWorkspace([[asked]])
    const first = start({ deferAfterMs: 100 })
    await first.ended
    await answer(asked.id, { answers: { 'Which?': 'B' } })
    await start({ resume: first.sessionId() }, { prompt: 'And be quick' }).ended
    expect(api.resultOf(asked.id)).toEqual(ANSWERED)
    expect(api.lastPrompt()).toContain('And be quick')
  })

  it('is not deferred while another waits: the last one is, and no answer is lost', async () => {
    const first = ask('Which?')
    const second = ask('Which?')
    const { api, start, answer, asked, record } = await createClaudeWorkspace([[first, second]])
    const run = start({ deferAfterMs: 10_000 })
    await asked(first.id)
    await asked(second.id)
    await answer(first.id, { answers: { 'Which?': 'B' } })
    await run.ended
    expect(await record(second.id)).toMatchObject({ state: 'open' })
    expect(api.requests).toHaveLength(1)

    await answer(second.id, { answers: { 'Which?': 'B' } })
    await start({ resume: run.sessionId() }, { prompt: '' }).ended
    expect(api.resultOf(first.id)).toEqual(ANSWERED)
    expect(api.resultOf(second.id)).toEqual(ANSWERED)
    expect(api.requests).toHaveLength(2)
  })

  it('needs no deferring when it is answered in time', async () => {
    const asked = ask('Which?')
    const { api, start, answer } = await createClaudeWorkspace([[asked]])
    const run = start({ deferAfterMs: 60_000 })
    await answer(asked.id, { answers: { 'Which?': 'B' } })
    await run.ended
    expect(api.resultOf(asked.id)).toEqual(ANSWERED)
  })
})
