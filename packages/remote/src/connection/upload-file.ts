import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The content of a program that runs inside the sandbox. It is bundled, even if the sources run: two folders above this file is
 * this package, or the package that this code is bundled into.
 */
export const uploadFile = (name: 'sandagent.cjs' | 'feeder.cjs'): Buffer =>
  readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../dist/upload', name))
