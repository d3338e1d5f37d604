import { expect, it, vi } from 'vitest'
import type { ChannelWarning } from '../../src/lib/warnings/warning-codes.ts'
import type { AnswerFile } from '../../src/record/answer-file/answer-file.ts'
import { type AnswerSource, SubscribedAnswers } from '../../src/store/subscribed-answers.ts'

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
  const find = vi.fn(async (_id: string, _options?: object) => ({ ...found, isUnknown: false }))
  const watch = vi.fn(() => stop)
  const source: AnswerSource = { find, watch, onWarning: () => {} }
  return { answers: new SubscribedAnswers(source, 't1'), found, find, watch, stop }
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
  const { answers, found, find, watch } = subscribed()
  expect(watch).toHaveBeenCalledExactlyOnceWith(answers)
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

it('an answer that goes away and comes back is not given again', async () => {
  const { answers, found } = subscribed()
  found.answerFile = answerFile(1)
  await answers.next()
  const next = answers.next()
  for (const again of [null, answerFile(1), answerFile(2)]) {
    found.answerFile = again
    answers.onChange()
    await settled()
  }
  expect(await next).toEqual(answerFile(2))
})

it('a change that comes while it looks is looked at afterwards', async () => {
  const { answers, find } = subscribed()
  let found = (_: { answerFile: AnswerFile | null; isUnknown: boolean }): void => {}
  find.mockImplementation(() => new Promise((resolve) => (found = resolve)))
  const next = answers.next()
  answers.onChange()
  answers.onChange()
  expect(find).toHaveBeenCalledTimes(1)
  found({ answerFile: null, isUnknown: false })
  await settled()
  expect(find).toHaveBeenCalledTimes(2)
  found({ answerFile: answerFile(1), isUnknown: false })
  expect(await next).toEqual(answerFile(1))
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

it('each warning is passed on once, until what it is about is fine again', async () => {
  const warnings: ChannelWarning[] = []
  const torn: ChannelWarning = { code: 'INVALID_FILE', message: 'torn' }
  let warning: ChannelWarning | undefined = torn
  const answers = new SubscribedAnswers(
    {
      find: async () => ({ answerFile: null, isUnknown: false, ...(warning && { warning }) }),

      watch: () => () => {},
      onWarning: (each) => warnings.push(each),
    },
    't1',
  )
  const next = answers.next()
  const change = async (to: ChannelWarning | undefined): Promise<void> => {
    warning = to
    answers.onChange()
    await settled()
  }
  await change(torn)
  await change(torn)
  expect(warnings).toEqual([torn])
  await change(undefined)
  await change(torn)
  expect(warnings).toEqual([torn, torn])
  const refused: ChannelWarning = { code: 'ENOSPC', message: 'no watch' }
  answers.onWarning(refused)
  answers.onWarning(refused)
  expect(warnings).toEqual([torn, torn, refused])
  answers.close()
  await next
})

it('the call that waits fails with what the source throws, and nothing is watched any more', async () => {
  const error = new Error('broken')
  const stop = vi.fn()
  const answers = new SubscribedAnswers(
    { find: () => Promise.reject(error), watch: () => stop, onWarning: () => {} },
    't1',
  )
  await expect(answers.next()).rejects.toBe(error)
  expect(stop).toHaveBeenCalledOnce()
  expect(await answers.next()).toBeNull()
})

it('the source is asked with the options', async () => {
  const { find } = subscribed()
  const options = { accept: async (answerFile: AnswerFile) => answerFile }
  const source: AnswerSource = { find, watch: () => () => {}, onWarning: () => {} }
  const others = new SubscribedAnswers(source, 't2', options)
  const next = others.next()
  await settled()
  expect(find).toHaveBeenLastCalledWith('t2', options)
  others.close()
  await next
})
