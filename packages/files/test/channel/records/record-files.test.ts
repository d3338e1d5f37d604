import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { createRecordFiles, versionOf } from '../../../src/channel/records/record-files.ts'
import type { RunFiles } from '../../../src/disk/run-files.ts'
import { createLocalFiles, questionRecordPath } from '../../../src/internal.ts'
import { openRecord } from '../../records.ts'

async function place(change: (files: RunFiles) => Partial<RunFiles> = () => ({})) {
  const files = createLocalFiles(await tempDir())
  const records = createRecordFiles({ ...files, ...change(files) }, {})
  return { records, files }
}

const asked = openRecord('t1')
const again = { ...asked, nonce: 'another' }

it('a record that is written can be read, with its version', async () => {
  const { records, files } = await place()
  expect(await records.read('t1')).toBeNull()
  const { text, version } = await records.publish(asked)
  expect(await records.read('t1')).toEqual(asked)
  expect(await files.read(questionRecordPath('t1'))).toBe(text)
  expect(version).toBe(versionOf(text))
  await records.publish(again)
  expect(await records.read('t1')).toEqual(again)
})

it('a record that must be new does not replace another', async () => {
  const { records } = await place()
  await records.publish(asked, { exclusive: true })
  await expect(records.publish(again, { exclusive: true })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await records.read('t1')).toEqual(asked)
})

it('a question may take half of what readers accept, and no more', async () => {
  const { records } = await place()
  const withText = (text: string) => ({ ...asked, questions: [{ id: 'q1', question: text }] })
  const room = MAX_FILE_BYTES / 2 - JSON.stringify(withText(''), null, 2).length
  await records.publish(withText('x'.repeat(room)))
  await expect(records.publish(withText('x'.repeat(room + 1)))).rejects.toMatchObject({
    code: 'TOO_LARGE',
    facts: { toolCallId: 't1' },
  })
  // Bytes count, not characters.
  await expect(records.publish(withText('ü'.repeat(room)))).rejects.toMatchObject({ code: 'TOO_LARGE' })
})

it('what the system says when it cannot write is hidden from models, and other failures are not', async () => {
  const failing = async (error: Error) => {
    const { records } = await place(() => ({ writeAtomic: () => Promise.reject(error) }))
    return records.publish(asked)
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
