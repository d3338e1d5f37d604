import { expect, it, vi } from 'vitest'
import type { AnswerFile } from '../src/record/answer-file.ts'
import { type AnswerSource, SubscribedAnswers } from '../src/subscribed-answers.ts'

const answerFile = (revision: number): AnswerFile => ({
  questions: [],
  answers: {},
  status: 'pending',
  timestamp: '2026-01-01T00:00:00.000Z',
  revision,
})

/** The answers of a question whose answer file is `found.answerFile`. */
function subscribed() {
  const found: { answerFile: AnswerFile | null } = { answerFile: null }
  const stop = vi.fn()
  const find = vi.fn(async () => ({ ...found, isUnknown: false }))
  const source: AnswerSource = { find, namesOf: (id) => [id], watch: () => stop, onWarning: () => {} }
  return { answers: new SubscribedAnswers(source, 't1'), found, find, stop }
}

/** Lets everything happen that waits for nothing. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('a change that comes while nobody waits is given to the next call', async () => {
  const { answers, found, find } = subscribed()
  found.answerFile = answerFile(1)
  answers.onChange()
  await settled()
  expect(find).not.toHaveBeenCalled()
  expect(await answers.next()).toEqual(answerFile(1))
})

it('a call that waits looks again only when something changes', async () => {
  const { answers, found, find } = subscribed()
  const next = answers.next()
  await settled()
  expect(find).toHaveBeenCalledTimes(1)
  found.answerFile = answerFile(1)
  answers.onChange()
  expect(await next).toEqual(answerFile(1))
  expect(find).toHaveBeenCalledTimes(2)
})

it('an answer that was given is not given again, and another one is', async () => {
  const { answers, found } = subscribed()
  found.answerFile = answerFile(1)
  expect(await answers.next()).toEqual(answerFile(1))
  const next = answers.next()
  answers.onChange()
  await settled()
  found.answerFile = answerFile(2)
  answers.onChange()
  expect(await next).toEqual(answerFile(2))
})

it('the call that waits when it is closed gets no answer, and so do later ones', async () => {
  const { answers, found, stop } = subscribed()
  const next = answers.next()
  found.answerFile = answerFile(1)
  answers.close()
  expect([await next, await answers.next()]).toEqual([null, null])
  expect(stop).toHaveBeenCalledOnce()
})

it('a failure of the source rejects the call that waits, and closes', async () => {
  const { answers, find, stop } = subscribed()
  find.mockRejectedValueOnce(new Error('out of reach'))
  await expect(answers.next()).rejects.toThrow('out of reach')
  expect(stop).toHaveBeenCalledOnce()
  expect(await answers.next()).toBeNull()
})
