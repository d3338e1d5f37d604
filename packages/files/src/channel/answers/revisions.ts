// Why it is so: docs/decisions/0090-each-revision-is-claimed.md

import type { AnswerFile } from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { revisionClaimName, revisionsAmong } from '../file-paths.ts'

/** The claims of the first revisions stay while the question is open: a text that somebody types has more than a hundred. */
export const KEPT_REVISIONS = 64

/** Of later revisions, the claims of the last ones stay. */
const LAST_REVISIONS = 8

/** How many claims that do not count are passed over. An agent can make any number. */
const MOST_PASSED_OVER = 64

/** The claims of the revisions of one question. */
export interface Revisions {
  files: SandboxFiles
  folder: string
  fileName: string
  nonce: string
}

/** A claim as it is read: `null` for one that does not count, `undefined` for one that is not there. */
type ReadRevision<T> = (number: number) => Promise<T | null | undefined>

/**
 * The answer file of the last revision that was claimed after `revision`, or `null`.
 *
 * The claims of the first revisions are never removed. So a missing one was never made, and nothing comes behind it. Later ones
 * are: there, the folder tells the last.
 */
export async function latestRevision<T extends { answerFile: AnswerFile }>(
  revisions: Revisions,
  revision: number,
  read: ReadRevision<T>,
): Promise<T | null> {
  let latest: T | null = null
  let number = revision + 1
  while (number <= KEPT_REVISIONS) {
    const next = await read(number)
    if (!next) return latest
    latest = next
    number = revisionOf(next) + 1
  }
  for (let isLast = false; !isLast; ) {
    isLast = true
    const numbers = (await claimedNumbers(revisions)).filter((each) => each >= number)
    for (const each of numbers.slice(0, MOST_PASSED_OVER)) {
      const found = await read(each)
      // It was removed, because there are later ones. Or there may be.
      if (found !== null) isLast = false
      if (!found) continue
      latest = found
      number = revisionOf(found) + 1
      break
    }
  }
  return latest
}

const revisionOf = ({ answerFile }: { answerFile: AnswerFile }): number => answerFile.revision ?? 0

/** The numbers of the claims that are there, the last one first. */
async function claimedNumbers({ files, folder, fileName, nonce }: Revisions): Promise<number[]> {
  const numbers = revisionsAmong(await files.list(folder), fileName, nonce)
  return numbers.sort((one, other) => other - one)
}

/** Removes the claims that nobody needs once a revision is stored. If it is final, these are all before it. */
export async function removeRevisions(
  revisions: Revisions,
  { number, isFinal }: { number: number; isFinal: boolean },
): Promise<void> {
  const { files, folder, fileName, nonce } = revisions
  const isLate = number > KEPT_REVISIONS
  if (!files.remove || !(isLate || isFinal)) return
  const mayGo = (each: number): boolean =>
    isFinal || (each > KEPT_REVISIONS && each <= number - LAST_REVISIONS)
  try {
    const numbers = isLate
      ? (await claimedNumbers(revisions)).filter(mayGo).reverse()
      : Array.from({ length: number - 1 }, (_, index) => index + 1)
    for (const each of numbers) await files.remove(`${folder}/${revisionClaimName(fileName, nonce, each)}`)
  } catch {
    // The answer is stored. What was not removed does no harm, and is swept later.
  }
}
