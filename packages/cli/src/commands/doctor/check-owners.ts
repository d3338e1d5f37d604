import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failedWith } from '@sandagent/core/internal'
import { stateFolders } from '@sandagent/files/internal'
import { bad, poor, type Verdict } from './finding.ts'

export interface Folder {
  workdir: string
  stateFolder: string | undefined
}

/** How many questions are looked at. They are mostly of one user. */
const MOST_QUESTIONS = 100

/** Whether the questions and answers of a folder belong to the user of this process; `null` where they do. */
export async function checkOwners({ workdir, stateFolder }: Folder): Promise<Verdict | null> {
  const own = process.geteuid?.()
  if (own === undefined) return null // Windows has no such users.
  const { state, questions, approvals } = stateFolders({ stateFolder })
  const asked = await orIfHidden([], readdir(join(workdir, questions)))
  const files = asked.slice(0, MOST_QUESTIONS).map((name) => join(questions, name))
  for (const path of [state, questions, approvals, ...files]) {
    const stats = await orIfHidden(null, lstat(join(workdir, path)))
    if (!stats || stats.uid === own) continue
    const text = `${path} belongs to the user ${stats.uid}, and you are the user ${own}`
    return own === 0
      ? poor(
          text,
          'Root can answer these questions. An agent of that user cannot ask where root has made the folders: run both as one user.',
        )
      : bad(
          text,
          'Run hosts and agents as one user, or the host as root. Otherwise questions and answers do not arrive.',
        )
  }
  return null
}

/** What is missing, or cannot be looked at, says nothing about its owner. */
async function orIfHidden<T, U>(value: U, found: Promise<T>): Promise<T | U> {
  try {
    return await found
  } catch (error) {
    if (failedWith(error, ['ENOENT', 'ENOTDIR', 'EACCES'])) return value
    throw error
  }
}
