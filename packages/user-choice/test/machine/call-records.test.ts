import { AskError, type ChannelWarning } from '@sandagent/core'
import { parseInvocation } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { CALL_ENTRIES, createCallRecords } from '../../src/machine/call-records.ts'
import { runtimeRecordSchema } from '../../src/runtime/runtime-steps.ts'
import { toolRecordSchema } from '../../src/tool/tool-steps.ts'
import { createMemoryStorage } from '../memory-storage.ts'

const holding = (record: unknown) => ({
  read: async () => JSON.stringify(record),
  writeAtomic: async () => {},
  list: async () => ['a.json'],
  remove: async () => {},
})
const invocation = {
  operation: 'o',
  arguments: {},
  group_id: 'g',
  id: 'i',
  callback_url: 'https://a.example',
}
const call = { version: 1, endpoint: 'e', invocation, token: 't', step: { at: 'waiting' } }
const step = { at: 'asking', message: { type: 'user_choice' }, receivedAt: '' }

it.each([
  ['the invocation', { ...call, invocation: { ...invocation, operation: 5 } }],
  ['the choice', { ...call, step }],
])('a record whose damage is in %s blames nobody who sends a message', async (_, record) => {
  const records = createCallRecords(holding(record), 'f', runtimeRecordSchema, () => {})
  await expect(records.read('a')).rejects.toMatchObject({ code: 'INVALID_FILE' })
})

it('a damaged record of a tool is passed over with a warning', async () => {
  const codes: string[] = []
  const warn = ({ code }: { code: string }) => void codes.push(code)
  const record = { version: 1, invocation: {}, token: 't', step: { at: 'deciding' } }
  expect(await createCallRecords(holding(record), 'f', toolRecordSchema, warn).open(0)).toEqual([])
  expect(codes).toEqual(['INVALID_FILE'])
})

describe('the records of calls', () => {
  const HOUR = 60 * 60 * 1000
  const now = Date.parse('2026-01-02T00:00:00Z')
  const schema = v.object({
    ...CALL_ENTRIES,
    step: v.object({ at: v.string(), endedAt: v.exactOptional(v.string()) }),
  })
  const record = (token: string, endedAt?: string) => ({
    version: 1 as const,
    invocation: parseInvocation(invocation),
    token,
    step: endedAt === undefined ? { at: 'begun' } : { at: 'ended', endedAt },
  })

  function start() {
    const storage = createMemoryStorage()
    const warnings: ChannelWarning[] = []
    const records = createCallRecords(storage, 'calls', schema, (warning) => warnings.push(warning))
    return { storage, warnings, records, names: () => [...storage.files.keys()] }
  }

  it('are read as they were written', async () => {
    const { records, names } = start()
    await records.write('a', record('1'))
    expect(names()).toEqual(['calls/a.json'])
    expect([await records.read('a'), await records.read('b')]).toEqual([record('1'), null])
  })

  it('are listed unless their call has ended, and removed a day after its end', async () => {
    const { records, names, storage, warnings } = start()
    await records.write('open', record('1'))
    await records.write('new', record('2', new Date(now - 24 * HOUR).toISOString()))
    await records.write('old', record('3', new Date(now - 24 * HOUR - 1).toISOString()))
    storage.files.set('calls/notes.txt', 'x')
    storage.files.set('calls/broken.json', '{')
    expect(await records.open(now)).toEqual([record('1')])
    expect(names()).toEqual(['calls/open.json', 'calls/new.json', 'calls/notes.txt', 'calls/broken.json'])
    expect(warnings).toEqual([
      {
        code: 'INVALID_FILE',
        message: expect.stringMatching(/^calls\/broken\.json: This is no record of a call/),
      },
    ])
  })

  it('are swept once an hour at most', async () => {
    const { records, names } = start()
    await records.open(now)
    await records.write('old', record('3', new Date(now - 48 * HOUR).toISOString()))
    await records.sweep(now + HOUR - 1)
    expect(names()).toEqual(['calls/old.json'])
    await records.sweep(now + HOUR)
    expect(names()).toEqual([])
  })

  it('are opened in a missing storage, which is made', async () => {
    const { storage, names } = start()
    let failures = 0
    const missing = {
      ...storage,
      list: async (folder: string) => {
        if (names().length === 0 && ++failures === 1) throw new AskError('UNREACHABLE', 'missing')
        return storage.list(folder)
      },
    }
    expect(await createCallRecords(missing, 'calls', schema, () => {}).open(now)).toEqual([])
    expect(names()).toEqual(['user-choice.json'])
  })

  it.each([new Error('broken'), new AskError('INVALID_FILE', 'broken')])(
    'are not opened after another failure: %s',
    async (error) => {
      const { storage, names } = start()
      const broken = {
        ...storage,
        list: async () => {
          throw error
        },
      }
      await expect(createCallRecords(broken, 'calls', schema, () => {}).open(now)).rejects.toBe(error)
      expect(names()).toEqual([])
    },
  )
})
