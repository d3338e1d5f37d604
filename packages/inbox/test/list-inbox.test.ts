import {
  AskError,
  type HostChannel,
  type OpenRecord,
  type QuestionRecord,
  type QuestionState,
} from '@sandagent/core/internal'
import { sandboxOf } from '@sandagent/fixtures/channel-store.ts'
import { answerFileFor, createFakeClock, openRecord, receiptOf } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { lookAround } from '../src/create-inbox.ts'
import { cursorAt } from '../src/inbox-question.ts'
import type { InboxSandbox } from '../src/inbox-sandbox.ts'
import {
  type InboxList,
  type InboxListOptions,
  type LookAround,
  listPast,
  listWaiting,
} from '../src/list-inbox.ts'
import { refusalOf } from './support/temp-sandbox.ts'

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`
const timeOf = (second: number): number => Date.parse(at(second))

const open = (toolCallId: string, second: number, more: Partial<OpenRecord> = {}): QuestionState => ({
  toolCallId,
  record: openRecord(toolCallId, { askedAt: at(second), ...more }),
})
const answered = (toolCallId: string, second: number): QuestionState => ({
  toolCallId,
  record: { ...openRecord(toolCallId), ...receiptOf({ settledAt: at(second) }) },
})
/** Answered, but not yet confirmed by the runner. */
const sent = (toolCallId: string, second: number): QuestionState => ({
  ...open(toolCallId, 0),
  answerFile: answerFileFor(toolCallId, { status: 'completed', timestamp: at(second) }),
})
const drafted = (toolCallId: string, second: number): QuestionState => ({
  ...open(toolCallId, 0),
  answerFile: answerFileFor(toolCallId, { timestamp: at(second) }),
})

/** A sandbox that has these questions. */
function having(id: string, states: (QuestionState | { lost: QuestionRecord })[]) {
  const looked: string[][] = []
  const recordOf = (state: (typeof states)[number]) => ('lost' in state ? state.lost : state.record)
  const channel = {
    questions: async ({ unsettled = false } = {}) =>
      states
        .flatMap((state) => recordOf(state) ?? [])
        .filter(({ state }) => !unsettled || state === 'open')
        .sort((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt)),
    states: async (records: readonly QuestionRecord[]) => {
      looked.push(records.map(({ toolCallId }) => toolCallId))
      return records.map((record) => {
        const found = states.find((state) => recordOf(state) === record) as (typeof states)[number]
        return 'lost' in found ? new AskError('UNREACHABLE', 'It cannot be read') : found
      })
    },
  } as unknown as HostChannel
  const entry: InboxSandbox = {
    id,
    name: `The ${id}`,
    sandbox: sandboxOf(channel, id),
  }
  return { entry, looked }
}

const away = (id: string): InboxSandbox => {
  const { entry } = having(id, [])
  const questions = async () => {
    throw new Error(`${id} is away`)
  }
  return { ...entry, sandbox: sandboxOf({ questions }, id) }
}

function looking(more: Partial<LookAround> = {}): LookAround {
  const clock = createFakeClock()
  return { ...lookAround({ clock, signingKeys: null, onWarning: () => {} }), ...more }
}

/** Hides the questions whose ids begin with this. */
const hiding = (prefix: string): LookAround => {
  const around = looking()
  return {
    ...around,
    show: async (sandbox, state) =>
      state.toolCallId.startsWith(prefix) ? null : around.show(sandbox, state),
  }
}

const namesOf = ({ questions }: InboxList): string[] =>
  questions.map(({ sandboxId, question }) => `${sandboxId}/${question.toolCallId}`)

/** The names on all pages. */
async function paged(list: (options: InboxListOptions) => Promise<InboxList>, limit: number) {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await list({ limit, cursor })
    pages.push(namesOf(page))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

describe('the questions that wait', () => {
  it('come by time, then by id, then by sandbox', async () => {
    const one = having('one', [
      open('b', 1),
      open('a', 1),
      open('z', 0),
      sent('gone', 1),
      answered('past', 1),
    ])
    const two = having('two', [open('a', 1), drafted('draft', 9), open('c', 2)])
    const list = await listWaiting([two.entry, one.entry], {}, looking())
    expect(namesOf(list)).toEqual(['two/draft', 'one/z', 'one/a', 'two/a', 'one/b', 'two/c'])
    expect(list).toMatchObject({ unreachable: [] })
    expect('nextCursor' in list).toBe(false)
  })

  it('come on pages, each question once', async () => {
    const one = having('one', [open('a', 1), open('b', 1), open('c', 2)])
    const two = having('two', [open('a', 1), open('b', 3)])
    const around = looking()
    const list = (page: InboxListOptions) => listWaiting([one.entry, two.entry], page, around)
    const all = ['one/a', 'two/a', 'one/b', 'one/c', 'two/b']
    expect(await paged(list, 1)).toEqual(all.map((name) => [name]))
    expect(await paged(list, 2)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)])
    expect(await paged(list, 5)).toEqual([all])
    const { nextCursor } = await list({ limit: 2 })
    expect(nextCursor).toBe(cursorAt([timeOf(1), 'a', 'two']))
  })

  it('fill a page although the caller may not see those before', async () => {
    const hidden = Array.from({ length: 5 }, (_, index) => open(`hidden-${index}`, index))
    const one = having('one', [...hidden, open('a', 10), open('b', 11)])
    const list = await listWaiting([one.entry], { limit: 1 }, hiding('hidden'))
    expect(namesOf(list)).toEqual(['one/a'])
    expect(list.nextCursor).toBeDefined()
  })
})

describe('the questions that have ended', () => {
  it('come by the time of their end, the latest first', async () => {
    const one = having('one', [
      answered('a', 3),
      sent('b', 5),
      answered('c', 9),
      open('open', 1),
      drafted('draft', 8),
    ])
    const two = having('two', [answered('a', 3), answered('b', 3)])
    const list = await listPast([one.entry, two.entry], {}, looking())
    expect(namesOf(list)).toEqual(['one/c', 'one/b', 'two/b', 'two/a', 'one/a'])
    expect('nextCursor' in list).toBe(false)
  })

  it('come on pages, each question once', async () => {
    const one = having('one', [answered('a', 3), sent('b', 5), answered('c', 9), sent('d', 3)])
    const two = having('two', [answered('a', 3), answered('b', 3)])
    const around = looking()
    const list = (page: InboxListOptions) => listPast([one.entry, two.entry], page, around)
    const all = ['one/c', 'one/b', 'one/d', 'two/b', 'two/a', 'one/a']
    for (const limit of [1, 2, 4, 6]) {
      const pages = await paged(list, limit)
      expect(pages.flat()).toEqual(all)
      expect(pages).toHaveLength(Math.ceil(all.length / limit))
    }
  })

  it('fill a page although the caller may not see those before', async () => {
    const hidden = Array.from({ length: 7 }, (_, index) => answered(`hidden-${index}`, 20 + index))
    const one = having('one', [...hidden, answered('a', 10), answered('b', 11)])
    const list = await listPast([one.entry], { limit: 1 }, hiding('hidden'))
    expect(namesOf(list)).toEqual(['one/b'])
    expect(list.nextCursor).toBe(cursorAt([timeOf(11), 'b', 'one']))
    const only = await listPast([having('one', hidden).entry], { limit: 1 }, hiding('hidden'))
    expect(only).toEqual({ questions: [], unreachable: [] })
  })

  it('are read no further than a page needs, and those that may have ended', async () => {
    const { entry, looked } = having('one', [
      answered('a', 1),
      answered('b', 2),
      answered('c', 3),
      answered('d', 4),
      sent('e', 5),
    ])
    await listPast([entry], { limit: 1 }, looking())
    expect(looked).toEqual([['d', 'c', 'e']])
    looked.length = 0
    await listPast([entry], { limit: 1, cursor: cursorAt([timeOf(3), 'c', 'one']) }, looking())
    expect(looked).toEqual([['b', 'a', 'e']])
  })

  it('leave out one that cannot be read now', async () => {
    const lost = { lost: answered('lost', 5).record as QuestionRecord }
    const one = having('one', [answered('a', 1), lost])
    expect(namesOf(await listPast([one.entry], {}, looking()))).toEqual(['one/a'])
  })

  it('end no page early because one cannot be read, and warn of it', async () => {
    const lost = { lost: answered('lost', 8).record as QuestionRecord }
    const rest = ['a', 'b', 'c', 'd'].map((id, index) => answered(id, index + 1))
    const one = having('one', [...rest, lost, answered('e', 9), sent('f', 2)])
    const warnings: string[] = []
    const around = looking()
    const host = { ...around.host, onWarning: ({ code }: { code: string }) => void warnings.push(code) }
    const pages = await paged((page) => listPast([one.entry], page, { ...around, host }), 2)
    expect(pages.flat()).toEqual(['one/e', 'one/d', 'one/c', 'one/f', 'one/b', 'one/a'])
    // The records here have receipts without answers, which their channel disputes.
    expect(new Set(warnings)).toEqual(new Set(['UNREACHABLE', 'DISPUTED_RECEIPT']))
  })
})

describe.each([
  ['that wait', listWaiting],
  ['that have ended', listPast],
])('a list of the questions %s', (_, list) => {
  it('names the sandboxes that cannot be read, by their ids', async () => {
    const one = having('one', [open('a', 1), answered('a-2', 1)])
    const { unreachable, questions } = await list([away('z'), one.entry, away('b')], {}, looking())
    expect(questions).toHaveLength(1)
    expect(unreachable).toEqual(
      ['b', 'z'].map((id) => ({
        sandboxId: id,
        sandboxName: `The ${id}`,
        code: 'UNREACHABLE',
        message: `${id} is away`,
      })),
    )
  })

  it('refuses a wrong limit and a wrong cursor, before it looks', async () => {
    const questions = vi.fn()
    const { entry } = having('one', [])
    const untouched = { ...entry, sandbox: sandboxOf({ questions }, 'one') }
    for (const page of [{ limit: 0 }, { limit: 1.5 }, { cursor: '' }, { cursor: 'none' }])
      expect(await refusalOf(list([untouched], page, looking()))).toMatchObject({
        code: 'INVALID_REQUEST',
        faults: [{ path: Object.keys(page)[0] }],
      })
    expect(questions).not.toHaveBeenCalled()
  })
})
