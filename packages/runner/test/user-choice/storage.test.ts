import { expect, it } from 'vitest'
import { runtimeRecordSchema } from '../../src/user-choice/runtime/runtime-record.ts'
import { createCallRecords } from '../../src/user-choice/storage.ts'
import { toolRecordSchema } from '../../src/user-choice/tool/tool-record.ts'

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
const call = { version: 1, endpoint: 'e', invocation, token: 't', acknowledged: true }
const choice = { message: { type: 'user_choice' }, receivedAt: '', state: 'asked' }

it.each([
  ['the invocation', { ...call, invocation: { ...invocation, operation: 5 } }],
  ['the choice', { ...call, choice }],
])('a record whose damage is in %s blames nobody who sends a message', async (_, record) => {
  const records = createCallRecords(holding(record), 'f', runtimeRecordSchema, () => {})
  await expect(records.read('a')).rejects.toMatchObject({ code: 'INVALID_FILE' })
})

it('a damaged record of a tool is passed over with a warning', async () => {
  const codes: string[] = []
  const warn = ({ code }: { code: string }) => void codes.push(code)
  const record = { version: 1, invocation: {}, token: 't', begun: false }
  expect(await createCallRecords(holding(record), 'f', toolRecordSchema, warn).open(0)).toEqual([])
  expect(codes).toEqual(['INVALID_FILE'])
})
