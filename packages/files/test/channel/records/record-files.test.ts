import { MAX_FILE_BYTES, type QuestionRecord } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { versionOf, writeRecordFile } from '../../../src/channel/records/record-files.ts'
import type { RunFiles } from '../../../src/disk/sandbox-files.ts'
import { createLocalFiles, questionRecordPath } from '../../../src/internal.ts'
import { openRecord } from '../../records.ts'

async function place(change: (files: RunFiles) => Partial<RunFiles> = () => ({})) {
  const files = createLocalFiles(await tempDir())
  const path = questionRecordPath('t1')
  return {
    stored: () => files.read(path),
    write: (record: QuestionRecord, { isNew = false } = {}) =>
      writeRecordFile({ ...files, ...change(files) }, path, record, { isNew }),
  }
}

const asked = openRecord('t1')
const again = { ...asked, nonce: 'another' }

it('a record that is written has a version, and replaces another', async () => {
  const { write, stored } = await place()
  const written = await write(asked)
  expect(await stored()).toBe(written?.text)
  expect(written?.version).toBe(versionOf(JSON.stringify(asked, null, 2)))
  await write(again)
  expect(await stored()).toBe(JSON.stringify(again, null, 2))
})

it('a record that must be new does not replace another', async () => {
  const { write, stored } = await place()
  const written = await write(asked, { isNew: true })
  expect(await write(again, { isNew: true })).toBeNull()
  expect(await stored()).toBe(written?.text)
})

it('a question may take half of what readers accept, and no more', async () => {
  const { write } = await place()
  const withText = (text: string) => ({ ...asked, questions: [{ id: 'q1', question: text }] })
  const room = MAX_FILE_BYTES / 2 - JSON.stringify(withText(''), null, 2).length
  await write(withText('x'.repeat(room)))
  await expect(write(withText('x'.repeat(room + 1)))).rejects.toMatchObject({
    code: 'TOO_LARGE',
    facts: { toolCallId: 't1' },
  })
  // Bytes count, not characters.
  await expect(write(withText('ü'.repeat(room)))).rejects.toMatchObject({ code: 'TOO_LARGE' })
})

it('what the system says when it cannot write is hidden from models, and other failures are not', async () => {
  const failing = async (error: Error) => {
    const { write } = await place(() => ({ writeAtomic: () => Promise.reject(error) }))
    return write(asked)
  }
  const full = Object.assign(new Error('no space in /secret'), { code: 'ENOSPC' })
  await expect(failing(full)).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: 'The question cannot be written where its user would find it (ENOSPC)',
    cause: full,
  })
  const broken = new TypeError('broken')
  await expect(failing(broken)).rejects.toBe(broken)
})
