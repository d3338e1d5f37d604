import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { FSWatcher } from 'chokidar'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startChokidarWatch } from '../../src/watch/chokidar-watch.ts'
import { type StartSystemWatch, startInotifyWatch } from '../../src/watch/system-watch.ts'

beforeEach(noSystemWatches)

const WATCHES: [string, StartSystemWatch][] = [['chokidar', startChokidarWatch]]
if (process.platform === 'linux') WATCHES.push(['fs.watch', startInotifyWatch])

describe.each(WATCHES)('a watch by %s', (_, start) => {
  async function watching(directory: string) {
    const names: (string | null)[] = []
    const gone = vi.fn()
    const errors: unknown[] = []
    const watch = await start(directory, {
      onChange: (name) => names.push(name),
      onGone: gone,
      onError: (error) => errors.push(error),
    })
    onTestFinished(() => watch.close())
    const reported = (name: string): Promise<void> =>
      vi.waitFor(() => {
        expect(names).toContain(name)
        names.length = 0
      })
    return { watch, reported, gone, errors }
  }

  it('reports a file that appears, is overwritten, replaced and removed', async () => {
    const directory = await tempDir()
    const path = join(directory, 'f')
    const { reported, gone, errors } = await watching(directory)
    await writeFile(path, 'one')
    await reported('f')
    await writeFile(path, 'two')
    await reported('f')
    await writeFile(join(directory, 'g'), 'three')
    await reported('g')
    await rename(join(directory, 'g'), path)
    await reported('f')
    await rm(path)
    await reported('f')
    expect(gone).not.toHaveBeenCalled()
    expect(errors).toEqual([])
  })

  it('reports that its directory went away', async () => {
    const directory = join(await tempDir(), 'd')
    await mkdir(directory)
    const { gone } = await watching(directory)
    await rm(directory, { recursive: true })
    await vi.waitFor(() => expect(gone).toHaveBeenCalled())
  })

  it('ends when it is closed', async () => {
    const { watch } = await watching(await tempDir())
    expect(systemWatches()).toBe(1)
    await watch.close()
    await noSystemWatches()
  })
})

it('by chokidar leaves the other files alone when one changes, however many there are', async () => {
  const reading = vi.spyOn(FSWatcher.prototype, '_readdirp')
  onTestFinished(() => reading.mockRestore())
  const directory = await tempDir()
  await writeFile(join(directory, 'other'), '')
  const names: (string | null)[] = []
  const watch = await startChokidarWatch(directory, {
    onChange: (name) => names.push(name),
    onGone() {},
    onError() {},
  })
  onTestFinished(() => watch.close())
  await writeFile(join(directory, 'f'), '')
  await vi.waitFor(() => expect(names).toContain('f'))
  expect(reading).not.toHaveBeenCalled()
})
