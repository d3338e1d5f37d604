import { expect, it } from 'vitest'
import { answerTexts } from '../../src/answer/answer-text.ts'
import { submittedResponses } from '../../src/answer/draft.ts'
import { isAnswer, type QuestionResponse } from '../../src/answer/response.ts'
import { createSecretKeys, sealSecret } from '../../src/answer/sealed-secret.ts'
import { validateResponses } from '../../src/answer/validate-responses.ts'
import { parseQuestions } from '../../src/question/parse-questions.ts'
import type { AskedQuestion } from '../../src/question/question.ts'
import { isSameVote } from '../../src/record/people/vote.ts'

const question = 'The token of the registry?'
const questions = parseQuestions([{ question, secret: true }])
const { publicKey } = await createSecretKeys()
const [keyed] = parseQuestions([{ question, secret: { publicKey } }]) as [AskedQuestion]
const sealed = await sealSecret('hunter2', publicKey, {
  toolCallId: 'call-1',
  questionId: keyed.id,
  questionDigest: 'd1',
})
const given: QuestionResponse = { selected: [], sealed, source: 'human' }

it('takes no typed answer, in the eyes of older pages too', () => {
  expect(questions).toEqual([{ id: 'q1', question, secret: true, allowFreeText: false }])
  expect(parseQuestions(questions)).toEqual(questions)
  expect(parseQuestions([{ question, secret: false }])).toEqual([{ id: 'q1', question }])
  const typed = { q1: { selected: [], freeText: 'hunter2', source: 'human' as const } }
  expect(validateResponses(questions, typed, { final: true })).toEqual([
    { path: 'responses.q1.freeText', expected: 'an encrypted secret in "sealed", not a typed answer' },
  ])
})

it('has no options, and one key at most', () => {
  expect(parseQuestions([{ question, secret: { publicKey } }])[0]?.secret).toEqual({ publicKey })
  const refused = { code: 'INVALID_QUESTIONS' }
  for (const secret of [{ publicKey: 'short' }, { publicKey: `${publicKey}A` }, 'yes', {}])
    expect(() => parseQuestions([{ question, secret }])).toThrow(expect.objectContaining(refused))
  expect(() => parseQuestions([{ question, secret: true, options: [{ label: 'A' }] }])).toThrow(
    'beside a secret',
  )
})

it('is answered by a sealed secret, which has no text', () => {
  expect(isAnswer(given)).toBe(true)
  expect(validateResponses([keyed], { q1: given }, { final: true })).toEqual([])
  expect(submittedResponses(questions, { q1: given })).toMatchObject({ q1: { sealed } })
  expect(answerTexts(questions[0] as never, { q1: given })).toEqual([])
})

it('refuses a secret that was encrypted to another key, such as one from before a restart', () => {
  const earlier = { q1: { ...given, sealed: `0123456789abcdef${sealed.slice(16)}` } }
  for (const asked of [[keyed], questions])
    expect(validateResponses(asked, earlier, { final: true })).toEqual([
      {
        path: 'responses.q1.sealed',
        expected: 'a secret that is encrypted to the key of this question: type it again',
      },
    ])
})

it('refuses a secret in a draft: nobody has sent it', () => {
  expect(validateResponses([keyed], { q1: given }, { final: false })).toEqual([
    { path: 'responses.q1.sealed', expected: 'no secret in a draft: it is given when the answer is sent' },
  ])
})

it('refuses a sealed secret where none was asked for', () => {
  const plain = parseQuestions([{ question }])
  expect(validateResponses(plain, { q1: given }, { final: true })).toMatchObject([
    { path: 'responses.q1.sealed' },
  ])
})

it('counts two secrets as the same vote, because nobody can compare them', () => {
  expect(isSameVote(questions, { q1: given }, { q1: { ...given, sealed: `${sealed}B` } })).toBe(true)
  expect(isSameVote(questions, { q1: given }, { q1: { skipped: true } })).toBe(false)
})
