import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError, type Clock, errorCode, parseJson, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { findProcess, ownProcessHandle } from '../lib/process-handle.ts'
import { createLocalFiles } from './local-files.ts'

/** How often the owner shows that it is there, and after which silence another one may follow, in milliseconds. */
const SIGN_EVERY_MS = 20_000
const SILENT_MS = 90_000

/** Owners are numbered, and the last one counts. */
const NAME = /^owner-([1-9]\d{0,8})\.json$/
const nameOf = (number: number): string => `owner-${number}.json`

const ownerSchema = v.object({ process: v.optional(v.string()), hasLeft: v.optional(v.boolean()) })

/**
 * Takes a folder for this object alone, until the returned function is called. A folder whose owner has died can be taken.
 *
 * @param taken says that another owner has the folder, for people
 * @param onLost called if another owner took it, because this process stood still for too long
 * @throws AskError `CONFLICT` when another owner has it
 */
export async function ownFolder(
  folder: string,
  { taken: message, onLost, clock }: { taken: string; onLost: (error: AskError) => void; clock: Clock },
): Promise<() => Promise<void>> {
  const taken = (): AskError => new AskError('CONFLICT', message, { facts: { folder } })
  const files = createLocalFiles(folder)
  const lastOwner = async (): Promise<number> =>
    Math.max(0, ...(await files.list('.')).map((name) => Number(NAME.exec(name)?.[1] ?? 0)))
  const last = await lastOwner()
  if (last > 0 && !(await isFree(folder, last, clock))) throw taken()
  const name = nameOf(last + 1)
  const write = (owner: v.InferOutput<typeof ownerSchema>, options = {}) =>
    files.writeAtomic(name, JSON.stringify(owner), options)
  try {
    await write({ process: await ownProcessHandle() }, { exclusive: true })
  } catch (error) {
    throw errorCode(error) === 'CONFLICT' ? taken() : error
  }
  // Somebody may have come and gone between the look and the write.
  if ((await lastOwner()) !== last + 1) {
    await files.remove(name)
    throw taken()
  }
  await files.remove(nameOf(last))
  let stopSign = (): void => {}
  let isOver = false
  const sign = (): void => {
    stopSign = clock.after(SIGN_EVERY_MS, sign)
    const now = new Date(clock.now())
    utimes(join(folder, name), now, now).catch((error: NodeJS.ErrnoException) => {
      // After another failure the next sign may work. Two signs may fail at once: the first one calls.
      if (error.code !== 'ENOENT' || isOver) return
      isOver = true
      stopSign()
      onLost(taken())
    })
  }
  sign()
  return async () => {
    isOver = true
    stopSign()
    if ((await lastOwner()) === last + 1) await write({ hasLeft: true })
  }
}

async function isFree(folder: string, number: number, clock: Clock): Promise<boolean> {
  const name = nameOf(number)
  const files = createLocalFiles(folder)
  const text = await files.read(name)
  if (text === null) return false // Its next owner has just removed it.
  const what = `${join(folder, name)} does not name an owner`
  const owner = parseWith(ownerSchema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
  if (owner.hasLeft) return true
  const { state } = await findProcess(owner.process ?? '')
  if (state !== 'unknown') return state !== 'running'
  // It is on another machine, or in another container. Then only its signs tell.
  const sign = await files.stat(name)
  if (sign === null) return false // Its next owner has just removed it.
  return clock.now() - sign.modifiedAt > SILENT_MS
}
