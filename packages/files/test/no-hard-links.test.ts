import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.ts'
import { writeFileAtomic } from '../src/index.ts'

// A file system without hard links cannot be mounted here.
const { link } = vi.hoisted(() => ({ link: vi.fn() }))
vi.mock('node:fs/promises', async (original) => ({ ...(await original<object>()), link }))

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

it('fails where linking fails for another reason', async () => {
  link.mockRejectedValue(Object.assign(new Error('full'), { code: 'ENOSPC' }))
  const root = await tempDir()
  await expect(writeFileAtomic(join(root, 'f.json'), 'x', { exclusive: true })).rejects.toThrow('full')
  expect(await readdir(root)).toEqual([])
})
