import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Replaces a file as a host does: temporary file, fsync, rename, fsync of the folder.
 *
 * @returns the time right before the rename, in nanoseconds of the clock that all processes share
 */
export function durableWrite(path: string, text: string): bigint {
  const temporary = join(dirname(path), '.writing')
  const file = openSync(temporary, 'w', 0o600)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
  const renamedAt = process.hrtime.bigint()
  renameSync(temporary, path)
  const directory = openSync(dirname(path), 'r')
  fsyncSync(directory)
  closeSync(directory)
  return renamedAt
}
