import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, vi } from 'vitest'
import { readClaim } from '../../src/channel/answers/answer-text.ts'
import { createFileHostChannel, createLocalFiles, writeFileAtomic } from '../../src/internal.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'
import { answerFileFor } from '../records.ts'

// A file system without hard links cannot be mounted here.
const link = vi.spyOn(diskCalls(tmpdir()), 'link')
const makeFolder = vi.spyOn(diskCalls(tmpdir()), 'makeFolder')

it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
  'lets one of many exclusive writers win where linking fails with %s',
  async (code) => {
    link.mockRejectedValue(Object.assign(new Error('no links'), { code }))
    const root = await tempDir()
    const path = join(root, 'f.json')
    const writes = Array.from({ length: 20 }, (_, n) => writeFileAtomic(path, `${n}`, { exclusive: true }))
    const results = await Promise.allSettled(writes)
    const winners = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))
    expect(winners).toHaveLength(1)
    expect(await readFile(path, 'utf8')).toBe(`${winners[0]}`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(writeFileAtomic(path, 'late', { exclusive: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await readdir(root)).toEqual(['f.json'])
  },
)

it('lets one of many claims win where there are no links, whole and with its file', async () => {
  link.mockRejectedValue(Object.assign(new Error('no links'), { code: 'EPERM' }))
  const root = await tempDir()
  const files = createLocalFiles(root)
  const writes = Array.from({ length: 20 }, (_, n) =>
    files.writeAtomic('f.json', `${n}`, { claim: '.f.final' }),
  )
  const results = await Promise.allSettled(writes)
  const winners = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []))
  expect(winners).toHaveLength(1)
  expect([await readClaim(files, '.f.final'), await files.read('f.json')]).toEqual([
    `${winners[0]}`,
    `${winners[0]}`,
  ])
  expect((await readdir(root)).sort()).toEqual(['.f.final', 'f.json'])
  // A host that has links, on the same folder, meets the claim too; and the other way round.
  link.mockRejectedValue(Object.assign(new Error('exists'), { code: 'EEXIST' }))
  await expect(files.writeAtomic('f.json', 'late', { claim: '.f.final' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  link.mockRejectedValue(Object.assign(new Error('no links'), { code: 'EPERM' }))
  await writeFile(join(root, '.g.final'), 'first')
  await expect(files.writeAtomic('g.json', 'late', { claim: '.g.final' })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  expect(await files.read('g.json')).toBeNull()
})

it('leaves no claim, and keeps nobody from answering, when a writer dies while it claims', async () => {
  link.mockRejectedValue(Object.assign(new Error('no links'), { code: 'EPERM' }))
  const root = await tempDir()
  const host = createFileHostChannel({ files: createLocalFiles(root) })
  const died = Object.assign(new Error('full'), { code: 'ENOSPC' })
  makeFolder.mockRejectedValueOnce(died)
  await mkdir(join(root, '.sandagent/approvals'), { recursive: true })
  await expect(host.write(answerFileFor('t1'), { expectedRevision: 0 })).rejects.toMatchObject({
    code: 'UNREACHABLE',
  })
  // What a crash before the rename leaves.
  await mkdir(join(root, '.sandagent/approvals/.00000000-0000-4000-8000-000000000001.tmp'))
  await host.write(answerFileFor('t1'), { expectedRevision: 0 })
  expect((await host.read('t1')).answerFile).toEqual(answerFileFor('t1'))
  await expect(host.write(answerFileFor('t1'), { expectedRevision: 0 })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

it('fails where linking fails for another reason', async () => {
  link.mockRejectedValue(Object.assign(new Error('full'), { code: 'ENOSPC' }))
  const root = await tempDir()
  await expect(writeFileAtomic(join(root, 'f.json'), 'x', { exclusive: true })).rejects.toThrow('full')
  expect(await readdir(root)).toEqual([])
})
