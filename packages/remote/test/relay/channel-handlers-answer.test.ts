import { type AskError, type BoundAnswerFile, identityOf } from '@sandagent/core/internal'
import { describe, expect, it, vi } from 'vitest'
import { ANSWER, at, failing, handling, NO_KEYS, recordOf, text } from '../support/channel-handling.ts'

describe('an answer', () => {
  const args = { ...NO_KEYS, answerFile: text(ANSWER), expectedRevision: 3 }
  const expectedRecord = identityOf(recordOf('q'))

  it('is written, and its record comes back with the keys of the run', async () => {
    const write = vi.fn(async () => recordOf('q'))
    const { handlers, task } = handling({ write }, ['k'])
    const reply = await handlers.answer({ ...args, expectedRecord, keyIds: ['k'] }, task)
    expect(reply).toEqual({ record: text(recordOf('q')), keyIds: ['k'] })
    expect(write.mock.calls).toEqual([[ANSWER, { expectedRevision: 3, expectedRecord }]])
    expect(await handling({ write: async () => undefined }, ['k']).handlers.answer(args, task)).toEqual({})
  })

  it.each([
    [['k'], ['other'], 'CONFLICT'],
    [undefined, ['k'], 'CONFLICT'],
    [['k'], [], 'CONFLICT'],
    [undefined, [], null],
    [['k'], undefined, null],
  ])('for a run with the keys %j that was signed for %j: %s', async (now, keyIds, code) => {
    const write = vi.fn(async () => undefined)
    const { handlers, task } = handling({ write }, now)
    const given = { ...args, expectedRecord, ...(keyIds && { keyIds }) }
    const done = handlers.answer(given, task).then(
      () => null,
      (error: AskError) => `${error.code} ${error.message}`,
    )
    expect(await done).toEqual(code && expect.stringMatching(/^CONFLICT The run was started again/))
    expect(write).toHaveBeenCalledTimes(code ? 0 : 1)
    await handlers.answer({ ...args, ...(keyIds && { keyIds }) }, task)
  })

  const SIGNED = { ...ANSWER, signature: 's' }
  it.each<[string, BoundAnswerFile | undefined, BoundAnswerFile, boolean]>([
    ['the same one', ANSWER, ANSWER, true],
    ['another one', { ...ANSWER, revision: 2 }, ANSWER, false],
    ['the one with its signature', { ...SIGNED, revision: 2 }, SIGNED, true],
    ['one with another signature', { ...SIGNED, signature: 't' }, SIGNED, false],
    ['none', undefined, ANSWER, false],
  ])(
    'that comes again after a conflict counts if it is there: there is %s',
    async (_, there, sent, isSame) => {
      const conflict = failing('CONFLICT')
      const read = vi.fn(async () => ({ ...at('q'), ...(there && { answerFile: there }) }))
      const { handlers, task } = handling({ write: () => Promise.reject(conflict), read })
      const again = handlers.answer({ ...args, answerFile: text(sent) }, { ...task, again: true })
      if (isSame) expect(await again).toEqual({ record: text(recordOf('q')) })
      else await expect(again).rejects.toBe(conflict)
      expect(read.mock.calls).toEqual([['q']])
    },
  )

  it.each([
    [false, failing('CONFLICT')],
    [true, failing('UNREACHABLE')],
    [true, Object.assign(new Error('no'), { code: 'CONFLICT' })],
  ])('that fails does not count: it comes again, %s, %s', async (again, failure) => {
    const read = async () => ({ ...at('q'), answerFile: ANSWER })
    const { handlers, task } = handling({ write: () => Promise.reject(failure), read })
    await expect(handlers.answer(args, { ...task, again })).rejects.toBe(failure)
  })

  it('to a question that is closing waits for the receipt, and not for long', async () => {
    const read = vi.fn(async () => ({ ...at('q'), record: recordOf('q', 'closing') }))
    const { handlers, task, clock } = handling({ write: async () => recordOf('q', 'closing'), read }, ['k'])
    const first = handlers.answer(args, task)
    await clock.whenPending()
    clock.advance(9)
    expect(read).not.toHaveBeenCalled()
    clock.advance(1)
    await clock.whenPending()
    read.mockResolvedValue({ ...at('q'), record: recordOf('q', 'answered') })
    clock.advance(10)
    expect(await first).toEqual({ record: text(recordOf('q', 'answered')), keyIds: ['k'] })
    expect(read.mock.calls).toEqual([['q'], ['q']])

    read.mockClear().mockResolvedValue({ ...at('q'), record: recordOf('q', 'closing') })
    const second = handlers.answer(args, task)
    for (let looks = 0; looks < 20; looks++) {
      await clock.whenPending()
      clock.advance(10)
    }
    expect(await second).toMatchObject({ record: text(recordOf('q', 'closing')) })
    expect(read).toHaveBeenCalledTimes(20)
  })

  it('waits for no receipt once its request has ended', async () => {
    const read = vi.fn(async () => ({ ...at('q'), record: recordOf('q', 'answered') }))
    const { handlers, task, clock, stop } = handling({ write: async () => recordOf('q', 'closing'), read })
    const answer = handlers.answer(args, task)
    await clock.whenPending()
    stop.abort()
    await answer.catch(() => {})
    expect(clock.pending()).toBe(0)
  })
})
