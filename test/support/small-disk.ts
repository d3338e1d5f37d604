import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { onTestFinished } from 'vitest'

/** What a tmpfs gives to files at a time, in bytes. */
const PAGE_BYTES = 4096

/** Whether this process may mount a disk of its own. */
export const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0

if (!canMount) console.error('Skipping the tests of a full disk: mounting one needs root on Linux')

export interface SmallDisk {
  folder: string
  /** Takes all space but that for so many small files. */
  fill(pagesLeft: number): void
  /** Gives the space back. */
  free(): void
}

/** A file system of 256 kB, for as long as the test runs. */
export async function smallDisk(): Promise<SmallDisk> {
  const folder = await tempDir()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  const ballast = join(folder, 'ballast')
  const free = (): void => rmSync(ballast, { force: true })
  return {
    folder,
    free,
    fill(pagesLeft) {
      free()
      const file = openSync(ballast, 'w')
      ftruncateSync(file, pagesWritten(file) * PAGE_BYTES - pagesLeft * PAGE_BYTES)
      closeSync(file)
    },
  }
}

/** Writes until nothing more fits. */
function pagesWritten(file: number): number {
  const page = Buffer.alloc(PAGE_BYTES, 1)
  for (let pages = 0; ; pages++) {
    try {
      writeSync(file, page)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      return pages
    }
  }
}
