import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { link, mkdir, open, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@sandagent/core'
import { noSystemWatches, systemWatches } from '@sandagent/fixtures/system-watches.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock, type FakeClock } from '@sandagent/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { watchDirectory } from '../../src/watch/directory-watch.ts'

beforeEach(noSystemWatches)

/** Watches until the test ends, and counts the reports by name. */
function watching(
  directory: string,
  { names: watched = [null], clock }: { names?: readonly string[] | [null]; clock?: Clock } = {},
) {
  const names: (string | null)[] = []
  const watcher = { onChange: (name: string | null) => names.push(name), onWarning() {} }
  const stop = watchDirectory(directory, watched, watcher, clock)
  onTestFinished(stop)
  return {
    stop,
    names,
    /** Resolves once this name, or `null`, was reported after the call began. */
    async reported(name: string | null, act: () => Promise<unknown>): Promise<void> {
      const before = names.length
      await act()
      await vi.waitFor(() => expect(names.slice(before)).toContain(name))
    },
  }
}

/** Watches one file on a clock that stands still: after its first look, only the system can report. */
async function watchingUnpolled(directory: string, name: string) {
  const clock = createFakeClock()
  const watch = watching(directory, { names: [name], clock })
  // The timer of the next look begins when the first look has ended.
  await vi.waitFor(() => expect([watch.names.includes(null), clock.pending()]).toEqual([true, 1]))
  return { ...watch, clock }
}

describe('watchDirectory with a system that reports', () => {
  it('hears of a file that appears, is overwritten, replaced and removed, without polling', async () => {
    const directory = await tempDir()
    const path = join(directory, 'f.json')
    const { reported } = await watchingUnpolled(directory, 'f.json')
    await reported('f.json', () => writeFile(path, 'one'))
    await reported('f.json', () => writeFile(path, 'two'))
    await writeFile(join(directory, 'g'), 'three')
    await reported('f.json', () => rename(join(directory, 'g'), path))
    await reported('f.json', () => rm(path))
  })

  it('tells a watcher of one name nothing about the others', async () => {
    const directory = await tempDir()
    const f = await watchingUnpolled(directory, 'f')
    const g = watching(directory, { names: ['g'], clock: f.clock })
    const any = watching(directory, { clock: f.clock })
    const before = f.names.length
    await g.reported('g', () => writeFile(join(directory, 'g'), ''))
    expect(any.names).toContain('g')
    expect(f.names.slice(before)).toEqual([])
  })

  it('shares one watch and one timer among all watchers, and releases them with the last', async () => {
    const directory = await tempDir()
    await symlink(directory, `${directory}-link`)
    onTestFinished(() => rm(`${directory}-link`))
    const clock = createFakeClock()
    const watches = Array.from({ length: 50 }, (_, n) =>
      watching(n % 2 ? directory : `${directory}-link`, { ...(n % 5 && { names: [`f${n}`] }), clock }),
    )
    await vi.waitFor(() => expect([systemWatches(), clock.pending()]).toEqual([1, 1]))
    await watches[7]?.reported('f7', () => writeFile(join(directory, 'f7'), ''))

    for (const { stop } of watches.slice(1)) stop()
    expect([systemWatches(), clock.pending()]).toEqual([1, 1])
    watches[0]?.stop()
    expect(clock.pending()).toBe(0)
    await vi.waitFor(() => expect(systemWatches()).toBe(0))
  })

  it('releases everything when it is stopped right after it began', async () => {
    const clock = createFakeClock()
    watching(await tempDir(), { clock }).stop()
    const again = watching(await tempDir(), { clock })
    await vi.waitFor(() => expect(systemWatches()).toBe(1))
    again.stop()
    await vi.waitFor(() => expect([systemWatches(), clock.pending()]).toEqual([0, 0]))
  })

  it.runIf(process.platform === 'linux')(
    'goes on with the watch of a directory where nobody waited for a while, of a limited number',
    async () => {
      const before = watchedFolders()
      const directories = await Promise.all(Array.from({ length: 20 }, () => tempDir()))
      for (const directory of directories) (await watchingUnpolled(directory, 'f')).stop()
      await vi.waitFor(() => expect(watchedFolders()).toBeLessThanOrEqual(before + 16))
      expect(systemWatches()).toBe(0)

      const last = directories.at(-1) as string
      const { reported, stop } = await watchingUnpolled(last, 'f')
      await reported('f', () => writeFile(join(last, 'f'), ''))
      expect(systemWatches()).toBe(1)
      stop()
      // Another directory takes its place while nobody waits.
      await rename(last, `${last}-old`)
      onTestFinished(() => rm(`${last}-old`, { recursive: true }))
      await mkdir(last)
      const again = await watchingUnpolled(last, 'f')
      await again.reported('f', () => writeFile(join(last, 'f'), ''))
    },
  )

  it('watches a directory that appears later', async () => {
    const directory = join(await tempDir(), 'later')
    const clock = createFakeClock()
    const { names, reported } = watching(directory, { names: ['f'], clock })
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    await mkdir(directory)
    await tickUntil(clock, () => names.includes(null))
    await reported('f', () => writeFile(join(directory, 'f'), ''))
  })

  it('goes on after its directory was deleted and made again', async () => {
    const directory = join(await tempDir(), 'd')
    await mkdir(directory)
    const { names, reported, clock } = await watchingUnpolled(directory, 'f')
    await rm(directory, { recursive: true })
    await mkdir(directory)
    names.length = 0
    await tickUntil(clock, () => names.includes(null))
    await reported('f', () => writeFile(join(directory, 'f'), ''))
    expect(systemWatches()).toBe(1)
  })

  it('goes on after another directory took its place', async () => {
    const directory = join(await tempDir(), 'd')
    await mkdir(directory)
    const { names, reported, clock } = await watchingUnpolled(directory, 'f')
    await rename(directory, `${directory}-old`)
    await mkdir(directory)
    names.length = 0
    await tickUntil(clock, () => names.includes(null))
    await reported('f', () => writeFile(join(directory, 'f'), ''))
    expect(systemWatches()).toBe(1)
  })
})

describe('watchDirectory with a system that stays silent', () => {
  it('finds every change by polling, also one of the same length in place', async () => {
    const root = await tempDir()
    const directory = join(root, 'watched')
    await mkdir(directory)
    // What is written under a second name elsewhere raises no event here, like a write from another host.
    await writeFile(join(root, 'elsewhere'), '1111')
    await link(join(root, 'elsewhere'), join(directory, 'f'))
    const { names, clock } = await watchingUnpolled(directory, 'f')

    const file = await open(join(root, 'elsewhere'), 'r+')
    onTestFinished(() => file.close())
    for (const text of ['2222', '3333']) {
      names.length = 0
      await file.write(text, 0)
      await tickUntil(clock, () => names.includes('f'))
    }
  })

  it('looks again soon after a change that the system has not reported', async () => {
    const root = await tempDir()
    const directory = join(root, 'watched')
    await mkdir(directory)
    await writeFile(join(root, 'elsewhere'), '1111')
    await link(join(root, 'elsewhere'), join(directory, 'f'))
    const { names, clock } = await watchingUnpolled(directory, 'f')
    // In its first minute a name is looked at often.
    clock.advance(60_000)
    while ((await pauseOf(clock)) < 500);
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    names.length = 0
    await writeFile(join(root, 'elsewhere'), '2222')
    let pause = 0
    while (!names.includes('f')) pause = await pauseOf(clock)
    expect(pause).toBe(50)
  })
})

/** How many folders the system watches for this process, as Linux counts them. */
const watchedFolders = (): number =>
  readdirSync('/proc/self/fdinfo')
    .map((fd) =>
      existsSync(`/proc/self/fdinfo/${fd}`) ? readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8') : '',
    )
    .join('')
    .split('inotify wd:').length - 1

/** Lets the clock go on until the next look begins. Resolves to how long that took. */
async function pauseOf(clock: FakeClock): Promise<number> {
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  const startedAt = clock.now()
  while (clock.pending() === 1) clock.advance(1)
  return clock.now() - startedAt
}

/** Lets polling go on until something is so. */
async function tickUntil(clock: Clock & { advance(ms: number): void }, isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    clock.advance(1000)
    expect(isSo()).toBe(true)
  })
}
