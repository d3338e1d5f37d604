import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { pathOutside } from './path-outside.ts'

/** Finds Node: this process's own, under Deno or Bun on the `PATH`. @throws AskError `ISOLATION_UNAVAILABLE` without Node */
export function nodeProgram(): string {
  const { deno, bun } = process.versions
  if (deno === undefined && bun === undefined) return process.execPath
  const found = pathOutside()
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find(isNode)
  if (found !== undefined) return found
  throw new AskError(
    'ISOLATION_UNAVAILABLE',
    'Node starts what is isolated, also for programs of Deno and Bun, and there is no "node" on the PATH',
  )
}

/** Deno puts a folder with its own `node` first in the `PATH`, which is Deno too. */
const isNode = (path: string): boolean =>
  existsSync(path) && realpathSync(path) !== realpathSync(process.execPath)
