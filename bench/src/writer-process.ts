// The other process: replaces files as a host does, and tells when it renamed them.

import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WriteOrder, Written } from './writer.ts'

process.on('message', ({ path, text }: WriteOrder) => {
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
  process.send?.({ renamedAt: String(renamedAt) } satisfies Written)
})
