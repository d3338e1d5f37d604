// Why it is so: docs/decisions/0090-each-revision-is-claimed.md

import type { AnswerFile } from '@sandagent/core/internal'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { revisionClaimName, revisionsAmong } from '../file-paths.ts'

/** The claims of the first revisions stay while the question is open: a text that somebody types has more than a hundred. */
export const KEPT_REVISIONS = 64

/** Of later revisions, the claims of the last ones stay. */
export const LAST_REVISIONS = 8

/** How many claims that do not count are passed over. An agent can make any number. */
const MOST_PASSED_OVER = 64

/** The claims of the revisions of one question. */
export interface Revisions {
  files: SandboxFiles
  folder: string
  fileName: string
  nonce: string
}

/**
 * The last revision that was claimed after another one, or `null`.
 *
 * The claims of the first revisions are never removed. So a missing one was never made, and nothing comes behind it. Later ones
 * are: there, the folder tells the last.
 *
 * @param read gives `null` for a claim that does not count, `undefined` for one that is not there
 */
export async function lastRevision<T extends { answerFile: AnswerFile }>(
  revisions: Revisions,
  after: number,
  read: (number: number) => Promise<T | null | undefined>,
): Promise<T | null> {
  let last: T | null = null
  let number = after + 1
  while (number <= KEPT_REVISIONS) {
    const next = await read(number)
    if (!next) return last
    last = next
    number = (next.answerFile.revision ?? 0) + 1
  }
  for (;;) {
    const numbers = (await claimedNumbers(revisions)).filter((each) => each >= number)
    let found: T | null | undefined = null
    for (const each of numbers.slice(0, MOST_PASSED_OVER)) {
      found = await read(each)
      if (found !== null) break
    }
    // One that was removed meanwhile has later ones behind it.
    if (found !== undefined) return found ?? last
  }
}

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
