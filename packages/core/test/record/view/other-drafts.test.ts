import { describe, expect, it } from 'vitest'
import { type AnswerFile, type Author, otherDraftsFor, parseAnswerFile } from '../../../src/internal.ts'
import { openRecord } from '../../records.ts'

const { questions } = openRecord()
const entered = (freeText: string) => ({ q1: { selected: [], freeText, source: 'human' as const } })

/** The file after these people have stored a draft, one after the other. */
const stored = (...people: [Author, string][]): AnswerFile | undefined =>
  people.reduce<AnswerFile | undefined>((file, [author, text], index) => {
    const otherDrafts = otherDraftsFor(author, file, questions)
    return {
      questions,
      answers: {},
      status: 'pending',
      timestamp: '2026-01-01T00:00:00.000Z',
      revision: index + 1,
      responses: entered(text),
      ...author,
      otherDrafts,
    }
  }, undefined)

const ADA = { answeredBy: 'Ada' }
const BEN = { answeredBy: 'Ben' }

describe('the drafts beside a draft', () => {
  it('are the latest of each other person, the newest first', () => {
    const file = stored([ADA, 'a1'], [BEN, 'b1'], [{ browser: 'one' }, 'c1'], [ADA, 'a2'])
    expect(file?.otherDrafts).toEqual([
      { browser: 'one', revision: 3, timestamp: file?.timestamp, responses: entered('c1') },
      { answeredBy: 'Ben', revision: 2, timestamp: file?.timestamp, responses: entered('b1') },
    ])
    expect(parseAnswerFile(JSON.stringify(file))).toEqual(file)
  })

  it('are none beside the draft of a person who is alone, and after a final answer', () => {
    expect(stored([ADA, 'a1'], [ADA, 'a2'])?.otherDrafts).toEqual([])
    const final = { ...(stored([ADA, 'a1']) as AnswerFile), status: 'completed' as const }
    expect(otherDraftsFor(BEN, final, questions)).toEqual([])
  })

  it('are eight at most, and keep the file far below its limit', () => {
    const many = (text: string) =>
      stored(...Array.from({ length: 20 }, (_, index): [Author, string] => [{ browser: `${index}` }, text]))
    expect(many('short')?.otherDrafts).toHaveLength(8)
    expect(JSON.stringify(many('x'.repeat(10_000))?.otherDrafts).length).toBeLessThan(33_000)
  })
})
