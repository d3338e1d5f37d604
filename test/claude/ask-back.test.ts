import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

const bash = (command: string) => call('Bash', { command, description: 'Make a file' })
const askBack = { status: 'declined', reason: 'What does this "touch"?', asksBack: true } as const
const allow = {
  responses: { permission: { selected: ['allow-once'], source: 'human' as const } },
}

describe('a person who asks back about a tool call', () => {
  it('is told by the model, is asked again in the same thread, and allows it then', async () => {
    const first = bash('touch one.txt && ls')
    const second = bash('touch one.txt && ls')
    const reply = 'It makes an empty file, `one.txt`.'
    const { api, sandbox, start, answer, record } = await createClaudeWorkspace([
      [first],
      [text(reply), second],
    ])
    const run = start()
    await answer(first.id, askBack)
    await answer(second.id, allow)
    await run.ended
    expect(api.resultOf(first.id)).toEqual({
      text: 'Bash was not run. The user has not decided yet. They ask: "What does this \\"touch\\"?". Answer this in plain words, then ask again.',
      isError: true,
    })
    expect(api.resultOf(second.id)).toEqual({ text: 'one.txt', isError: false })
    expect(await record(second.id)).toMatchObject({
      follows: { toolCallId: first.id, question: askBack.reason, reply },
    })
    expect(await readdir(sandbox.workdir)).toContain('one.txt')
  })
  it('is asked again by a run that goes on with the session, and finds what they asked', async () => {
    const first = bash('touch one.txt')
    const second = bash('touch one.txt')
    const { start, answer, record, asked, transcriptHas } = await createClaudeWorkspace([
      [first],
      [text('It makes a file.')],
      [second],
    ])
    const before = start()
    await answer(first.id, askBack)
    await before.ended
    await transcriptHas('It makes a file.')
    const run = start({ resume: before.sessionId() }, { prompt: 'Go on' })
    await asked(second.id)
    expect(await record(second.id)).toMatchObject({
      follows: { toolCallId: first.id, question: askBack.reason, reply: 'It makes a file.' },
    })
    await answer(second.id, allow)
    await run.ended
  })

  it('is asked again about a question, too', async () => {
    const ask = () =>
      call('AskUserQuestion', {
        questions: [
          {
            question: 'Which colour?',
            header: 'Colour',
            options: ['Red', 'Blue'].map((label) => ({ label, description: label })),
            multiSelect: false,
          },
        ],
      })
    const [first, second] = [ask(), ask()]
    const { api, start, answer, record } = await createClaudeWorkspace([
      [first],
      [text('For the roof.'), second],
    ])
    const run = start()
    await answer(first.id, askBack)
    await answer(second.id, { answers: { 'Which colour?': 'Red' } })
    await run.ended
    expect(api.resultOf(first.id)).toMatchObject({
      isError: true,
      text: expect.stringContaining('The user has not decided yet. They ask:'),
    })
    expect(await record(second.id)).toMatchObject({
      follows: { toolCallId: first.id, reply: 'For the roof.' },
    })
  })
})
