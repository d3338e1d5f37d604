import { vi } from 'vitest'
import type { BoundAnswerFile } from '../../src/channel.ts'
import type { OpenRecord, QuestionRecord } from '../../src/record/question-record.ts'
import type { QuestionStore, StoredQuestion, StoredText } from '../../src/store/question-store.ts'
import { openRecord } from '../records.ts'

export const recordOf = (toolCallId: string, more: Partial<OpenRecord> = {}): OpenRecord =>
  openRecord({ toolCallId, nonce: `n of ${toolCallId}`, ...more })

export const answerTo = ({ toolCallId, nonce, questions }: QuestionRecord): BoundAnswerFile => ({
  version: 1,
  toolCallId,
  nonce,
  questions,
  answers: {},
  status: 'completed',
  timestamp: '2026-01-01T00:00:01.000Z',
  revision: 1,
  responses: {},
})

/** A store in a map. `put` writes as somebody else would. A subscription gives what is there, and what `put` writes then. */
export function storeDouble(...records: QuestionRecord[]) {
  const rows = new Map<string, StoredQuestion>()
  const listeners = new Set<(stored: StoredQuestion) => void>()
  let writes = 0
  const rowOf = (toolCallId: string): StoredQuestion =>
    rows.get(toolCallId) ?? { toolCallId, record: null, answer: null }
  const put = (toolCallId: string, which: 'record' | 'answer', value: object | string): StoredQuestion => {
    writes += 1
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const written: StoredText = { text, version: String(writes) }
    const row = { ...rowOf(toolCallId), [which]: written }
    rows.set(toolCallId, row)
    for (const listener of listeners) listener(row)
    return row
  }
  for (const record of records) put(record.toolCallId, 'record', record)

  const store = {
    read: vi.fn<QuestionStore['read']>(async (toolCallIds) => toolCallIds.map(rowOf)),
    writeRecord: vi.fn<QuestionStore['writeRecord']>(async (toolCallId, text, { expected }) =>
      (rowOf(toolCallId).record?.version ?? null) === expected ? put(toolCallId, 'record', text) : null,
    ),
    writeAnswer: vi.fn<QuestionStore['writeAnswer']>(async (toolCallId, text, { expected, asked }) => {
      const { record, answer } = rowOf(toolCallId)
      const isAsRead = (answer?.version ?? null) === expected && record?.version === asked?.version
      return isAsRead ? put(toolCallId, 'answer', text) : null
    }),
    list: vi.fn<QuestionStore['list']>(async () => []),
    subscribe: vi.fn<QuestionStore['subscribe']>(async function* (signal) {
      const changed: StoredQuestion[] = [...rows.values()]
      let wake = () => {}
      listeners.add((stored) => {
        changed.push(stored)
        wake()
      })
      signal.addEventListener('abort', () => wake(), { once: true })
      while (!signal.aborted) {
        yield changed.splice(0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }),
  }
  return { store, put, rows }
}
