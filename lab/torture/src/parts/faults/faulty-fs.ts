// Changes the file system of this process before anything else is loaded: calls are killed, fail, take long, and links and
// watches are refused. It also knows which names a power cut would lose.

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { createRandom } from '../../lib/random.ts'
import { textIfThere } from '../../lib/text-if-there.ts'
import { settings } from '../settings/settings.ts'
import { freezeBefore } from './frozen-rename.ts'
import { createUnsynced } from './unsynced.ts'

const { faults, withoutLinks, workdirs } = settings
const random = createRandom(settings.seed)
const real = { ...fs }
let isHealed = false

/** Ends the faults of calls. What the disk and the watches cannot do, they still cannot do. */
export const heal = (): void => {
  isHealed = true
}

const HELD = /^\/proc\/self\/fd\/(\d+)(?=\/|$)/

/** A path without the descriptor of a folder that is held open. */
function placeOf(path: string): string {
  const descriptor = HELD.exec(path)?.[1]
  if (descriptor === undefined) return path
  try {
    return real.readlinkSync(`/proc/self/fd/${descriptor}`) + path.replace(HELD, '')
  } catch {
    return path
  }
}

const isOfProduct = (path: unknown): path is string =>
  typeof path === 'string' && (path.includes('/.sandagent') || HELD.test(path))

/** The files that are open, by descriptor, and whether they hold text that is not synced. */
const opened = new Map<number, { place: string; isDirty: boolean }>()
/** Files that this process closed, and whose text it did not sync. */
const closedDirty = new Set<string>()
/** Final answers that a power cut would lose, by whichever process. */
const unsynced = createUnsynced(settings.unsynced)
const FINAL = '.final'

/**
 * Whether a power cut now would lose the final answer with this text. The other claims of a question that was asked again
 * hold other texts. A claim that cannot be read counts as lost.
 */
export function wouldBeLost(claim: string, text: string): boolean {
  const isOurs = (name: string): boolean =>
    name === claim + FINAL || (name.startsWith(`${claim}~`) && name.endsWith(FINAL))
  return unsynced
    .paths()
    .filter((path) => isOurs(basename(path)))
    .some((path) => textOfClaim(path)?.includes(JSON.stringify(text)) ?? true)
}

/** A claim is a file, or a folder with one. */
const textOfClaim = (path: string): string | null =>
  real.statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? textIfThere(join(path, 'claim.json'))
    : textIfThere(path)

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
}

const NEEDS_SPACE = ['ENOSPC', 'EDQUOT', 'EIO'] as const
const NEEDS_DISK = ['EIO'] as const
const NEEDS_DESCRIPTOR = ['EMFILE', 'EIO'] as const

const failure = (code: string, call: string): Error =>
  Object.assign(new Error(`${code}: a fault of the torture, ${call}`), { code, syscall: call })

/** What may happen before a call. Returns what may happen after it. */
function meet(call: string, codes: readonly [string, ...string[]]): () => void {
  if (isHealed) return () => {}
  if (random.chance(faults.error)) throw failure(random.pick(codes), call)
  if (!random.chance(faults.kill)) return () => {}
  if (random.chance(0.5)) die()
  return die
}

type AnyCall = (...args: never[]) => unknown

/** Replaces a synchronous call. */
function replace(
  name: string,
  codes: readonly [string, ...string[]],
  behind: (result: unknown, args: readonly unknown[]) => void = () => {},
): void {
  const call = real[name as keyof typeof real] as AnyCall
  Object.assign(fs, {
    [name]: (...args: never[]) => {
      const [first] = args as unknown[]
      const isOurs = typeof first === 'number' ? opened.has(first) : isOfProduct(first)
      if (!isOurs) return call(...args)
      const after = meet(name, codes)
      const result = call(...args)
      behind(result, args)
      after()
      return result
    },
  })
}

const named = (from: unknown, to: unknown): void => {
  const [source, place] = [placeOf(String(from)), placeOf(String(to))]
  if (!place.endsWith(FINAL)) return
  unsynced.noteName(place)
  const isDirty = closedDirty.has(source) || [...opened.values()].some((f) => f.place === source && f.isDirty)
  if (isDirty) unsynced.noteText(place)
}

replace('openSync', NEEDS_DESCRIPTOR, (result, [path]) =>
  opened.set(result as number, { place: placeOf(String(path)), isDirty: false }),
)
replace('lstatSync', NEEDS_DISK)
replace('readSync', NEEDS_DISK)
replace('renameSync', NEEDS_SPACE, (_, [from, to]) => named(from, to))
const faultyRename = fs.renameSync
fs.renameSync = (from, to) => {
  const goOn = freezeBefore(String(to))
  faultyRename(from, to)
  goOn()
}
replace('unlinkSync', NEEDS_DISK, (_, [path]) => {
  const place = placeOf(String(path))
  closedDirty.delete(place)
  if (place.endsWith(FINAL)) unsynced.forget(place)
})
replace('writeFileSync', NEEDS_SPACE, (_, [file]) => {
  const entry = opened.get(file as number)
  if (entry) opened.set(file as number, { ...entry, isDirty: true })
})

const realLink = real.linkSync
replace('linkSync', NEEDS_SPACE, (_, [from, to]) => named(from, to))
const faultyLink = fs.linkSync
fs.linkSync = (from, to) => {
  const place = placeOf(String(to))
  if (withoutLinks.some((run) => place.startsWith(`${workdirs[run]}/`))) throw failure('EPERM', 'link')
  return isOfProduct(String(to)) ? faultyLink(from, to) : realLink(from, to)
}

fs.closeSync = (file) => {
  const entry = opened.get(file)
  if (entry?.isDirty) closedDirty.add(entry.place)
  opened.delete(file)
  real.closeSync(file)
}

/** Returns what is known once the file or folder is synced. */
function beforeSync(file: number, entry: { place: string; isDirty: boolean }): () => void {
  if (real.fstatSync(file).isDirectory()) return unsynced.beforeFolderSync(entry.place)
  return () => {
    if (opened.get(file) === entry) opened.set(file, { ...entry, isDirty: false })
    if (entry.place.endsWith(FINAL)) unsynced.forgetText(entry.place)
  }
}

fs.fsync = ((file: number, callback: (error: Error | null) => void) => {
  const entry = opened.get(file)
  const onSynced = entry ? beforeSync(file, entry) : () => {}
  const done = (error: NodeJS.ErrnoException | null): void => {
    if (!error) onSynced()
    callback(error)
  }
  let after = (): void => {}
  try {
    after = meet('fsync', NEEDS_SPACE)
  } catch (error) {
    setImmediate(() => callback(error as Error))
    return
  }
  const isSlow = !isHealed && random.chance(faults.slowSync)
  setTimeout(
    () =>
      real.fsync(file, (error) => {
        if (!error) after()
        done(error)
      }),
    isSlow ? random.below(1000) : 0,
  )
}) as typeof fs.fsync

if (faults.watch === 'refused')
  fs.watch = (() => {
    throw failure('ENOSPC', 'watch')
  }) as typeof fs.watch
if (faults.watch === 'silent') {
  const quiet = settings.profile
  fs.mkdirSync(quiet, { recursive: true })
  const realWatch = real.watch as (path: string, ...rest: unknown[]) => fs.FSWatcher
  fs.watch = ((_: unknown, ...rest: unknown[]) => realWatch(quiet, ...rest)) as typeof fs.watch
}
syncBuiltinESMExports()
