import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning } from '@sandagent/core'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { pathStamp } from '../../src/watch/file-stamp.ts'
import { createResilientWatch } from '../../src/watch/resilient-watch.ts'

beforeEach(noSystemWatches)

/** A watch of a folder that is not there yet. */
async function watching() {
  const directory = join(await tempDir(), 'd')
  const names: (string | null)[] = []
  const warnings: ChannelWarning[] = []
  const watch = createResilientWatch(directory, {
    onChange: (name) => names.push(name),
    onWarning: (warning) => warnings.push(warning),
  })
  onTestFinished(() => watch.close())
  const refresh = async (): Promise<void> => watch.refresh((await pathStamp(directory)).identity)
  const heard = (name: string | null) => vi.waitFor(() => expect(names.splice(0)).toContain(name))
  return { directory, names, warnings, watch, refresh, heard }
}

it('a folder is watched once it is there, and what was missed may be anything', async () => {
  const { directory, watch, refresh, heard, warnings } = await watching()
  await refresh()
  expect(systemWatches()).toBe(0)
  await mkdir(directory)
  await refresh()
  await heard(null)
  await writeFile(join(directory, 'f'), '')
  await heard('f')
  await refresh()
  await writeFile(join(directory, 'g'), '')
  await heard('g')
  expect(systemWatches()).toBe(1)
  expect([watch.warning(), warnings]).toEqual([null, []])
})

it('a folder that takes the place of another is watched instead of it', async () => {
  const { directory, refresh, heard } = await watching()
  await mkdir(directory)
  await refresh()
  await heard(null)
  await rename(directory, `${directory}-old`)
  await mkdir(directory)
  await refresh()
  await heard(null)
  await writeFile(join(directory, 'f'), '')
  await heard('f')
  await vi.waitFor(() => expect(systemWatches()).toBe(1))
})

it('a folder that goes away is watched no more, until it is back', async () => {
  const { directory, refresh, heard } = await watching()
  await mkdir(directory)
  await refresh()
  await heard(null)
  await rm(directory, { recursive: true })
  await refresh()
  await vi.waitFor(() => expect(systemWatches()).toBe(0))
  await mkdir(directory)
  await refresh()
  await heard(null)
  await writeFile(join(directory, 'f'), '')
  await heard('f')
})

it('a watch that was closed begins no other', async () => {
  const { directory, names, watch, refresh, heard } = await watching()
  await mkdir(directory)
  await refresh()
  await heard(null)
  watch.close()
  await vi.waitFor(() => expect(systemWatches()).toBe(0))
  await refresh()
  expect(systemWatches()).toBe(0)
  await writeFile(join(directory, 'f'), '')
  expect(names).toEqual([])
})
