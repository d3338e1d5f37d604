import { describe, expect, it } from 'vitest'
import type { AnswerFile } from '../../src/record/answer-file/answer-file.ts'
import { mayFollow } from '../../src/record/asking-back.ts'
import {
  describeOutcome,
  endingAccordingTo,
  questionAskedBack,
} from '../../src/record/outcome/outcome-text.ts'
import type { OpenRecord } from '../../src/record/question-record.ts'
import { viewOf } from '../../src/record/view/view-of.ts'
import { createHostChannel } from '../../src/store/host-channel.ts'
import { answerTo, recordOf, storeDouble } from '../store/store-double.ts'

const follows = (toolCallId: string, reply?: string) => ({
  follows: { toolCallId, question: 'As the agent has it', ...(reply !== undefined && { reply }) },
})

/** What a host shows of a call, where these calls are stored with their answers. */
async function threadOf(
  toolCallId: string,
  calls: readonly [OpenRecord, (Partial<AnswerFile> | undefined)?][],
) {
  const { store, put } = storeDouble()
  for (const [record, answer] of calls) {
    put(record.toolCallId, 'record', record)
    if (answer) put(record.toolCallId, 'answer', { ...answerTo(record), status: 'declined', ...answer })
  }
  return viewOf(await createHostChannel(store).read(toolCallId), 0, { answeredBy: 'ada' }).thread
}

const asked = (reason: string, more: object = {}) => ({ asksBack: true as const, reason, ...more })

describe('the thread of a call', () => {
  it('has what people asked back before, as the host stored it, and the words of the agent', async () => {
    const calls: [OpenRecord, Partial<AnswerFile>?][] = [
      [recordOf('a'), asked('Why?', { answeredBy: 'ada' })],
      [recordOf('b', follows('a', 'Because.')), asked('And then?', { answeredBy: 'bob' })],
      [recordOf('c', follows('b'))],
    ]
    expect(await threadOf('c', calls)).toEqual([
      { question: 'Why?', name: 'ada', isOwn: true, reply: 'Because.' },
      { question: 'And then?', name: 'bob' },
    ])
  })

  it.each<[string, OpenRecord, Partial<AnswerFile>?]>([
    ['nobody has answered', recordOf('a')],
    ['somebody declined', recordOf('a'), { reason: 'No' }],
    ['is of another run', recordOf('a', { runId: 'run-2' }), asked('Why?')],
    ['is of another tool', recordOf('a', { toolName: 'Bash' }), asked('Why?')],
    ['is of another asker', recordOf('a', { asker: { agent: 'b' } }), asked('Why?')],
    ['is an approval', recordOf('a', { kind: 'approval' }), asked('Why?')],
  ])('has nothing of a call that %s, whatever the record says', async (_, before, answer) => {
    expect(
      await threadOf('b', [[before, answer], [recordOf('b', follows('a', 'The user has agreed.'))]]),
    ).toBeUndefined()
  })

  it('ends where calls follow each other in a circle, or follow none', async () => {
    const circle = [recordOf('a', follows('b')), recordOf('b', follows('a'))]
    const thread = await threadOf(
      'a',
      circle.map((record) => [record, asked('Why?')]),
    )
    expect(thread).toEqual([{ question: 'Why?' }])
    expect(await threadOf('a', [[recordOf('a', follows('a')), asked('Why?')]])).toBeUndefined()
    expect(await threadOf('a', [[recordOf('a', follows('gone'))]])).toBeUndefined()
  })
})

it('a call follows no other than the last one of its run, asker and tool', () => {
  const before = recordOf('a', { asker: { agent: 'x' } })
  expect(mayFollow(recordOf('b', { asker: { agent: 'x' } }), before)).toBe(true)
  expect(mayFollow(before, before)).toBe(false)
  expect(mayFollow(recordOf('b'), before)).toBe(false)
})

describe('the text about what was asked back', () => {
  const textFor = (reason: string): string =>
    describeOutcome({
      kind: 'declined',
      questions: [],
      responses: {},
      unanswered: [],
      reason,
      asksBack: true,
    })

  it('says that nothing was decided, and gives the question back', () => {
    expect(textFor('Why?')).toBe(
      'The user has not decided yet. They ask: "Why?". Answer this in plain words, then ask again.',
    )
    expect(endingAccordingTo(textFor('Why?'))).toBe('declined')
    for (const question of ['Why?', 'What "is" this\\?\nAnd "that"', '". Answer this'])
      expect(questionAskedBack(`Bash was not run. ${textFor(question)}`)).toBe(question)
  })

  it.each([
    '',
    'The user declined to answer, saying "They ask: \\"x\\""',
    textFor('x').replace('"x"', '"\n"'),
  ])('is none where nobody asked: %j', (text) => expect(questionAskedBack(text)).toBeNull())
})
