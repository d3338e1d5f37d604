import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { pathOutside } from './path-outside.ts'

/**
 * Node, which starts what is isolated: this process's own, and under Deno or Bun the one on the `PATH`.
 *
 * @throws AskError `ISOLATION_UNAVAILABLE` where there is none
 */
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

/** Deno puts a folder with a `node` of its own in front, which is Deno again. */
const isNode = (path: string): boolean =>
  existsSync(path) && realpathSync(path) !== realpathSync(process.execPath)
