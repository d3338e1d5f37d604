import { createLocalFiles } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { type ParkedRecord, readParked, writeParked } from '../../src/park/parked-record.ts'
import { refusalOf } from '../support/temp-sandbox.ts'

const record: ParkedRecord = {
  version: 1,
  state: 'asleep',
  at: '2026-01-01T00:00:00.000Z',
  processes: ['p1'],
  deadline: 1000,
}

it.each<Partial<ParkedRecord>>([
  {},
  { state: 'restarting', processes: [] },
  { state: 'gone', deadline: null },
])('a parked sandbox is read as it was written: %j', async (more) => {
  const files = createLocalFiles(await tempDir())
  await writeParked(files, { ...record, ...more })
  expect(await readParked(files)).toEqual({ ...record, ...more })
})

it('a sandbox that is awake has no record', async () => {
  const files = createLocalFiles(await tempDir())
  expect(await readParked(files)).toBeNull()
  await writeParked(files, record)
  await writeParked(files, null)
  expect(await readParked(files)).toBeNull()
  expect(await files.list('.')).toEqual([])
})

it.each<[string, object]>([
  ['of another version', { version: 2 }],
  ['of no state', { state: 'awake' }],
  ['of no time', { at: 'now' }],
  ['without its processes', { processes: undefined }],
  ['without its deadline', { deadline: undefined }],
  ['whose deadline is no number', { deadline: '1000' }],
])('a record %s is refused', async (_, wrong) => {
  const files = createLocalFiles(await tempDir())
  await files.writeAtomic('parked.json', JSON.stringify({ ...record, ...wrong }))
  expect(await refusalOf(readParked(files))).toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringContaining('This is no record of a parked sandbox'),
  })
  await files.writeAtomic('parked.json', '{')
  expect(await refusalOf(readParked(files))).toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringContaining('This is no record of a parked sandbox'),
  })
})
