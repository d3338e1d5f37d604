import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as fileStamps from '../../src/watch/file-stamp.ts'
import { watchedFiles } from '../../src/watch/watched-files.ts'

vi.mock('../../src/watch/file-stamp.ts', { spy: true })

/** The names that a look finds changed, and those that it looked at. */
async function watching(names: readonly string[]) {
  const directory = await tempDir()
  const clock = createFakeClock()
  const files = watchedFiles(directory)
  for (const name of names) files.add(name)
  const look = async (afterMs = 0): Promise<{ changed: string[]; lookedAt: string[] }> => {
    clock.advance(afterMs)
    vi.mocked(fileStamps.fileStamp).mockClear()
    const changed = (await files.look(await fileStamps.fileStamp(directory), clock.now())).sort()
    const paths = vi.mocked(fileStamps.fileStamp).mock.calls.map(([path]) => path)
    const lookedAt = paths
      .filter((path) => path !== directory)
      .map((path) => path.slice(directory.length + 1))
    return { changed, lookedAt: lookedAt.sort() }
  }
  return { directory, files, look }
}

describe('a look at watched files', () => {
  it('reports each file that is there at first, and then only changes', async () => {
    const { directory, look } = await watching(['a', 'b'])
    await writeFile(join(directory, 'b'), '1')
    expect((await look()).changed).toEqual(['b'])
    expect((await look()).changed).toEqual([])
    await writeFile(join(directory, 'a'), '1')
    expect((await look()).changed).toEqual(['a'])
    await rm(join(directory, 'a'))
    expect((await look()).changed).toEqual(['a'])
  })

  it('takes only files that exist and new names, once the directory has kept its stamp', async () => {
    const { directory, files, look } = await watching(['a', 'missing'])
    await writeFile(join(directory, 'a'), '1')
    for (const afterMs of [0, 1000, 1500]) expect((await look(afterMs)).lookedAt).toEqual(['a', 'missing'])
    expect((await look(500)).lookedAt).toEqual(['a'])
    files.add('new')
    expect(await look(500)).toEqual({ changed: [], lookedAt: ['a', 'new'] })
    files.remove('a')
    expect((await look(500)).lookedAt).toEqual([])
    expect((await look(5000)).lookedAt).toEqual(['missing', 'new'])
  })

  it('leaves a name that is added during a look to the next look', async () => {
    const { directory, files, look } = await watching(['a'])
    await writeFile(join(directory, 'late'), '1')
    await look()
    await look(3000)
    files.add('b')
    const { fileStamp } = await vi.importActual<typeof fileStamps>('../../src/watch/file-stamp.ts')
    vi.mocked(fileStamps.fileStamp).mockImplementation(async (path) => {
      if (path === join(directory, 'b')) files.add('late')
      return fileStamp(path)
    })
    onTestFinished(() => void vi.mocked(fileStamps.fileStamp).mockReset())
    await look()
    expect((await look()).lookedAt).toContain('late')
  })

  it('finds what is overwritten in place while the directory keeps its stamp', async () => {
    const { directory, look } = await watching(['a', 'missing'])
    await writeFile(join(directory, 'a'), '1111')
    for (const afterMs of [0, 2500, 500]) await look(afterMs)
    const file = await open(join(directory, 'a'), 'r+')
    onTestFinished(() => file.close())
    for (const text of ['2222', '3333']) {
      await vi.waitFor(async () => {
        await file.write(text, 0)
        expect(await look()).toEqual({ changed: ['a'], lookedAt: ['a'] })
      })
    }
  })

  it('lists the directory instead of looking for each of many files', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `file-${index}`)
    const { directory, look } = await watching(names)
    await writeFile(join(directory, 'file-7'), '')
    const { changed, lookedAt } = await look()
    expect([changed, lookedAt]).toEqual([['file-7'], ['file-7']])
    await writeFile(join(directory, 'file-8'), '')
    expect(await look()).toEqual({ changed: ['file-8'], lookedAt: ['file-7', 'file-8'] })
  })
})
