import { withReceipt } from '@sandagent/core/internal'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { stateFolders } from '../../src/channel/state-folders.ts'
import { checkSweepAfter, sweepAtTimes } from '../../src/channel/sweep.ts'
import type { SandboxFiles } from '../../src/internal.ts'
import { answerFileFor, openRecord } from '../records.ts'

const folders = stateFolders()
type RemoveOld = Parameters<NonNullable<SandboxFiles['removeOld']>>
let places = 0

/** Files that are all old. They remember what they were asked to remove. */
function oldFiles(contents: Record<string, object | string>, hasQuestions = true) {
  const sweeps: { folder: RemoveOld[0]; options: RemoveOld[1]; gone: string[] }[] = []
  const files = {
    id: `place-${++places}`,
    read: async (path: string) => {
      const content = contents[path]
      return content === undefined ? null : typeof content === 'string' ? content : JSON.stringify(content)
    },
    list: async () => (hasQuestions ? ['approvals', 'questions'] : ['approvals']),
    async removeOld(folder: RemoveOld[0], options: RemoveOld[1]) {
      const names = Object.keys(contents)
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1))
      const gone: string[] = []
      for (const name of names) if (await options.mayGo(name)) gone.push(name)
      sweeps.push({ folder, options, gone })
    },
  } as unknown as SandboxFiles
  return { files, sweeps }
}

const clock = createFakeClock()
const settled = (id: string) =>
  withReceipt(openRecord(id), { state: 'timed-out', settledAt: openRecord(id).askedAt, responses: {} })

describe('of the questions', () => {
  const { questions } = folders

  it('those that ended go', async () => {
    const { files, sweeps } = oldFiles({
      [`${questions}/open.json`]: openRecord('open'),
      [`${questions}/ended.json`]: settled('ended'),
      [`${questions}/moved.json`]: settled('elsewhere'),
      [`${questions}/torn.json`]: '{',
      [`${questions}/.ended.final`]: settled('ended'),
    })
    await sweepAtTimes('questions', { files, folders, clock, sweepAfterMs: 5000 })
    expect(sweeps).toMatchObject([
      { folder: questions, options: { olderThanMs: 5000, now: clock.now() }, gone: ['ended.json'] },
    ])
  })
})

describe('of the answers', () => {
  const { questions, approvals } = folders
  const contents = {
    [`${questions}/asked.json`]: settled('asked'),
    [`${approvals}/asked.json`]: answerFileFor('asked'),
    [`${approvals}/.asked.final`]: answerFileFor('asked'),
    [`${approvals}/gone.json`]: answerFileFor('gone'),
    [`${approvals}/.gone.final`]: '{',
    [`${approvals}/draft.json`]: answerFileFor('draft', { status: 'pending', nonce: 'n' }),
    [`${approvals}/older.json`]: answerFileFor('older', { status: 'pending' }),
    [`${approvals}/torn.json`]: '{',
    [`${approvals}/notes.txt`]: 'notes',
  }

  it('those to a question that is gone go', async () => {
    const { files, sweeps } = oldFiles(contents)
    await sweepAtTimes('approvals', { files, folders, clock, sweepAfterMs: undefined })
    expect(sweeps[0]?.gone).toEqual(['gone.json', '.gone.final', 'draft.json'])
    expect(sweeps[0]?.options.olderThanMs).toBe(7 * 24 * 60 * 60 * 1000)
  })

  it('none go while the folder of the questions is away', async () => {
    const { files, sweeps } = oldFiles(contents, false)
    await sweepAtTimes('approvals', { files, folders, clock, sweepAfterMs: undefined })
    expect(sweeps[0]?.gone).toEqual([])
  })
})

describe('a folder is swept', () => {
  it('at most once an hour, each by itself', async () => {
    const { files, sweeps } = oldFiles({})
    const sweep = (folder: 'questions' | 'approvals') =>
      sweepAtTimes(folder, { files, folders, clock, sweepAfterMs: undefined })
    await sweep('questions')
    await sweep('questions')
    await sweep('approvals')
    expect(sweeps.map(({ folder }) => folder)).toEqual([folders.questions, folders.approvals])
    clock.advance(60 * 60 * 1000)
    await sweep('questions')
    expect(sweeps).toHaveLength(3)
  })

  it('never where that is not wanted, or not possible', async () => {
    const { files, sweeps } = oldFiles({})
    await sweepAtTimes('questions', { files, folders, clock, sweepAfterMs: false })
    await sweepAtTimes('questions', { files: { ...files, id: undefined }, folders, clock, sweepAfterMs: 1 })
    const { removeOld: _, ...without } = files
    await sweepAtTimes('questions', { files: without, folders, clock, sweepAfterMs: 1 })
    expect(sweeps).toEqual([])
  })

  it('without telling that it failed', async () => {
    const { files } = oldFiles({})
    const removeOld = () => Promise.reject(new Error('failed'))
    await sweepAtTimes('questions', { files: { ...files, removeOld }, folders, clock, sweepAfterMs: 1 })
  })
})

it.each([undefined, false, 1, 0.5] as const)('the time may be %j', (sweepAfterMs) => {
  expect(() => checkSweepAfter({ sweepAfterMs })).not.toThrow()
})

it.each([0, -1, Number.NaN, true, '5', null])('the time cannot be %j', (sweepAfterMs) => {
  expect(() => checkSweepAfter({ sweepAfterMs } as never)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'sweepAfterMs', expected: 'milliseconds above 0, or false' }],
    }),
  )
})
