import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError, type ChannelWarning, MAX_FILE_BYTES } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { createRecordFiles } from '../../src/channel/record-files.ts'
import type { RunFiles } from '../../src/disk/run-files.ts'
import { createLocalFiles, questionRecordPath } from '../../src/internal.ts'
import { openRecord } from '../records.ts'

async function place(change: (files: RunFiles) => Partial<RunFiles> = () => ({})) {
  const workdir = await tempDir()
  const files = createLocalFiles(workdir)
  const warnings: ChannelWarning[] = []
  const records = createRecordFiles({ ...files, ...change(files) }, {}, (warning) => warnings.push(warning))
  return { records, warnings, files, path: join(workdir, questionRecordPath('t1')) }
}

const asked = openRecord('t1')
const again = { ...asked, nonce: 'another' }

it('a call that has no record gets one, and keeps it', async () => {
  const { records, warnings } = await place()
  expect(await records.read('t1')).toBeNull()
  expect(await records.createOrAdopt(asked)).toBe(asked)
  expect(await records.createOrAdopt(again)).toEqual(asked)
  expect(await records.read('t1')).toEqual(asked)
  await records.publish(again)
  expect(await records.read('t1')).toEqual(again)
  expect(warnings).toEqual([])
})

it('a record that must be new does not replace another', async () => {
  const { records } = await place()
  await records.publish(asked, { exclusive: true })
  await expect(records.publish(again, { exclusive: true })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await records.read('t1')).toEqual(asked)
})

it('a file that holds no question is replaced, with a warning', async () => {
  const { records, warnings, path } = await place()
  await records.publish(asked)
  await writeFile(path, '{')
  await expect(records.read('t1')).rejects.toMatchObject({ code: 'INVALID_FILE' })
  expect(await records.createOrAdopt(again)).toBe(again)
  expect(await records.read('t1')).toEqual(again)
  expect(warnings).toMatchObject([{ code: 'INVALID_FILE', toolCallId: 't1' }])
})

it('a question may take half of what readers accept, and no more', async () => {
  const { records } = await place()
  const withText = (text: string) => ({ ...asked, questions: [{ id: 'q1', question: text }] })
  const room = MAX_FILE_BYTES / 2 - JSON.stringify(withText(''), null, 2).length
  const longest = withText('x'.repeat(room))
  expect(await records.createOrAdopt(longest)).toBe(longest)
  await expect(records.createOrAdopt(withText('x'.repeat(room + 1)))).rejects.toMatchObject({
    code: 'TOO_LARGE',
    facts: { toolCallId: 't1' },
  })
  // Bytes count, not characters.
  await expect(records.createOrAdopt(withText('ü'.repeat(room)))).rejects.toMatchObject({ code: 'TOO_LARGE' })
})

it('a record that is out of reach is not replaced', async () => {
  const away = new AskError('UNREACHABLE', 'The folder cannot be reached')
  const { records, files, warnings } = await place(() => ({ read: () => Promise.reject(away) }))
  await records.publish(asked)
  await expect(records.createOrAdopt(again)).rejects.toBe(away)
  expect(JSON.parse((await files.read(questionRecordPath('t1'))) ?? '')).toEqual(asked)
  expect(warnings).toEqual([])
})

it.each(['read', 'writeAtomic'] as const)(
  'what the system says when it cannot %s is hidden from models, and other failures are not',
  async (call) => {
    const failing = async (error: Error) => {
      const { records } = await place((files) => ({
        [call]: (path: string, text: string, options?: object) =>
          call === 'read' || !options ? Promise.reject(error) : files.writeAtomic(path, text, options),
      }))
      await records.publish(asked, call === 'read' ? undefined : { exclusive: true })
      return call === 'read' ? records.createOrAdopt(again) : records.publish(again)
    }
    const full = Object.assign(new Error('no space in /secret'), { code: 'ENOSPC' })
    await expect(failing(full)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'The question cannot be written where its user would find it (ENOSPC)',
      cause: full,
    })
    const broken = new TypeError('broken')
    await expect(failing(broken)).rejects.toBe(broken)
  },
)
