import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failedWith } from '@sandagent/core/internal'
import { stateFolders } from '@sandagent/files/internal'
import type { Finding } from './finding.ts'

/** How many questions are looked at. They are mostly of one user. */
const MOST_QUESTIONS = 100

/** Whether the questions and answers of a folder belong to the user of this process. Nothing is said where they do. */
export async function checkOwners(workdir: string, stateFolder: string | undefined): Promise<Finding[]> {
  const own = process.geteuid?.()
  if (own === undefined) return [] // Windows has no such users.
  const { state, questions, approvals } = stateFolders({ stateFolder })
  const asked = await orIfHidden([], readdir(join(workdir, questions)))
  const files = asked.slice(0, MOST_QUESTIONS).map((name) => join(questions, name))
  for (const path of [state, questions, approvals, ...files]) {
    const stats = await orIfHidden(null, lstat(join(workdir, path)))
    if (stats && stats.uid !== own) return [foreign(path, stats.uid, own)]
  }
  return []
}

const foreign = (path: string, owner: number, own: number): Finding => ({
  about: 'Users',
  state: own === 0 ? 'poor' : 'bad',
  text: `${path} belongs to the user ${owner}, and you are the user ${own}`,
  hint:
    own === 0
      ? 'Root can answer these questions. An agent of that user cannot ask where root has made the folders: run both as one user.'
      : 'Run hosts and agents as one user, or the host as root. Otherwise questions and answers do not arrive.',
})

/** What is missing, or cannot be looked at, says nothing about its owner. */
async function orIfHidden<T, U>(value: U, found: Promise<T>): Promise<T | U> {
  try {
    return await found
  } catch (error) {
    if (failedWith(error, ['ENOENT', 'ENOTDIR', 'EACCES'])) return value
    throw error
  }
}
