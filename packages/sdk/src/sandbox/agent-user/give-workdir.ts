import { chmodSync, chownSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { type OwnerOf, type StateFolderOption, stateFolders } from '@sandagent/files/internal'
import type { AgentUser } from './agent-user.ts'

/** Everybody of the group may make files, and only owners may remove or rename them. */
const STICKY = 0o1770

/**
 * Prepares a workdir in which programs of another user work. Root keeps the workdir itself and the folders that decide, so that
 * these programs cannot write there, and cannot put other folders in their place.
 *
 * @param workdir an absolute path without links
 * @throws AskError `UNSAFE_PATH` when the user could replace the workdir, cannot enter it, or may have written to the folders
 *   before; `ISOLATION_UNAVAILABLE` where root cannot give files away
 */
export function giveWorkdir(workdir: string, user: AgentUser, place: StateFolderOption): void {
  for (let path = dirname(workdir), child = workdir; ; child = path, path = dirname(path)) {
    const stats = statSync(path)
    if (mayRename(stats, user)) throw unsafe(child, `the user ${user.name} could replace it`)
    if (!mayEnter(stats, user)) throw unsafe(path, `the user ${user.name} cannot enter it`)
    if (path === dirname(path)) break
  }
  const root = 0
  give(workdir, root, user.gid)
  chmodSync(workdir, STICKY)
  const { state, approvals, attachments, runs, questions, home } = stateFolders(place)
  for (const name of [state, approvals, attachments, runs]) {
    const path = join(workdir, name)
    if (folderAt(path).uid !== root) throw unsafe(path, `it does not belong to root. Remove ${state}`)
    give(path, root, user.gid)
    chmodSync(path, name === runs ? 0o700 : 0o750)
  }
  for (const name of [questions, home]) {
    const path = join(workdir, name)
    folderAt(path)
    give(path, user.uid, user.gid)
  }
}

/** Who gets what is written in such a workdir. */
export function ownersIn(user: AgentUser, place: StateFolderOption): OwnerOf {
  const { state, runs, questions, home } = stateFolders(place)
  const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`)
  const agent = { uid: user.uid, gid: user.gid }
  const readable = { uid: 0, gid: user.gid, isShared: true }
  return (path) => {
    if (!isIn(state, path) || isIn(questions, path) || isIn(home, path)) return agent
    return isIn(runs, path) ? undefined : readable
  }
}

/** Some containers have a root who may not give files away, or do not have the user. */
function give(path: string, uid: number, gid: number): void {
  try {
    chownSync(path, uid, gid)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AskError('ISOLATION_UNAVAILABLE', `Root cannot give files to another user here: ${why}`, {
      cause,
    })
  }
}

/** Makes a folder if there is nothing. Its parent belongs to root. */
function folderAt(path: string): Stats {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stats = lstatSync(path)
  if (!stats.isDirectory()) throw unsafe(path, 'it is a link or no folder')
  return stats
}

/** Whether the user may rename what is in a folder and belongs to somebody else. */
const mayRename = (stats: Stats, user: AgentUser): boolean =>
  stats.uid === user.uid || (allows(stats, user, 0o2) && (stats.mode & 0o1000) === 0)

const mayEnter = (stats: Stats, user: AgentUser): boolean => allows(stats, user, 0o1)

/** Whether a folder of somebody else allows the user something. */
const allows = ({ gid, mode }: Stats, user: AgentUser, bit: number): boolean =>
  ((gid === user.gid ? mode >> 3 : mode) & bit) !== 0

const unsafe = (path: string, why: string): AskError =>
  new AskError('UNSAFE_PATH', `The folder ${path} cannot be used with another user: ${why}`, {
    facts: { path },
  })
