import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { settings } from '../settings/settings.ts'

/** How long a host stands still at most, before the rename and behind it, in milliseconds. */
const LONGEST_MS = 10_000
const LOOK_EVERY_MS = 10

/** The file of an answer whose next rename freezes. */
let due: string | null = null

/**
 * Before its next rename of the answer to a question, and right behind it, this process stands still: see {@link frozenMark}.
 */
export const freezeRename = (toolCallId: string): void => {
  due = `${toolCallId}.json`
}

/** Stands still before a rename to this path, if it is due. Returns what comes behind the rename. */
export function freezeBefore(path: string): () => void {
  if (due === null || basename(path) !== due) return () => {}
  due = null
  const mark = join(settings.frozen, basename(path, '.json'))
  mkdirSync(settings.frozen, { recursive: true })
  writeFileSync(`${mark}.stands`, '')
  standStill(`${mark}.go`)
  return () => standStill(`${mark}.end`)
}

/** Blocks the whole process, as a machine does that is out of memory, until a file is there. */
function standStill(until: string): void {
  const end = performance.now() + LONGEST_MS
  const never = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(until) && performance.now() < end) Atomics.wait(never, 0, 0, LOOK_EVERY_MS)
}
