import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** How large the small disk is. */
const DISK = '96m'

export interface SmallDisk {
  /** Whether a fault of the disk lasts. */
  isBusy: boolean
  /** The same disk at another place. */
  otherPlace: string
  fill(): void
  free(): void
  setReadOnly(isReadOnly: boolean): void
  remove(): void
}

/** Whether this process may mount a disk. */
const canMount = (): boolean =>
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0

const run = (command: string, ...args: string[]): void =>
  void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** A small disk, mounted at two places. `null` where that needs root. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  if (!canMount()) {
    console.error('The disk is not full and not read-only in this torture: mounting one needs root on Linux')
    return null
  }
  const [first, second] = [join(folder, 'small'), join(folder, 'small-again')]
  for (const place of [first, second]) mkdirSync(place)
  run('mount', '-t', 'tmpfs', '-o', `size=${DISK},mode=700`, 'tmpfs', first)
  run('mount', '--bind', first, second)
  const ballast = join(first, 'ballast')
  const setReadOnly = (isReadOnly: boolean): void =>
    run('mount', '-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, first)
  return {
    isBusy: false,
    otherPlace: second,
    fill() {
      const file = openSync(ballast, 'w')
      const block = Buffer.alloc(64 * 1024, 1)
      try {
        for (;;) writeSync(file, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    setReadOnly,
    remove() {
      for (const place of [second, first]) run('umount', '--lazy', place)
    },
  }
}
