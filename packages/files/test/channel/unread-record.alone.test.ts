import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, vi } from 'vitest'
import { createFileRunnerChannel, questionRecordPath } from '../../src/internal.ts'
import { openRecord } from '../records.ts'

const disk = vi.hoisted(() => ({ fails: false }))

/** A disk that cannot be read for a moment: only root could make a real one. */
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const readSync: typeof fs.readSync = (...args: unknown[]) => {
    if (disk.fails) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    return (fs.readSync as (...all: unknown[]) => number)(...args)
  }
  return { ...fs, readSync }
})

it('a question whose record cannot be read is not replaced, because its answer may be there', async () => {
  const workdir = await tempDir()
  await createFileRunnerChannel({ workdir }).open(openRecord('t1'))
  const path = join(workdir, questionRecordPath('t1'))
  const before = await readFile(path, 'utf8')
  const channel = createFileRunnerChannel({ workdir })
  disk.fails = true
  await expect(channel.open({ ...openRecord('t1'), nonce: 'another' })).rejects.toMatchObject({
    code: 'UNREACHABLE',
  })
  disk.fails = false
  expect(await readFile(path, 'utf8')).toBe(before)
  expect(await channel.open({ ...openRecord('t1'), nonce: 'another' })).toMatchObject({
    nonce: openRecord('t1').nonce,
  })
})
