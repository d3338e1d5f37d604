// Why it is so: docs/decisions/0001-files-carry-questions.md

import { fileNameOf, rememberByText, sha256Hex } from '@sandagent/core/internal'
import { type StateFolderOption, stateFolders } from './state-folders.ts'

/** The file of a tool call's question, relative to the workdir. */
export const questionRecordPath = (toolCallId: string, place?: StateFolderOption): string =>
  `${stateFolders(place).questions}/${fileNameOf(toolCallId)}`

/** The file of a tool call's answer, relative to the workdir. */
export const answerFilePath = (toolCallId: string, place?: StateFolderOption): string =>
  `${stateFolders(place).approvals}/${fileNameOf(toolCallId)}`

/**
 * The name of the claim beside an answer file. With a nonce, only the question with this nonce uses the claim. The name has a
 * hash of the nonce, which comes from the sandbox and could be a path. No answer file's name has a `~`.
 */
export function claimFileName(fileName: string, nonce?: string): string {
  const suffix = nonce === undefined ? '' : `~${hashOf(nonce)}`
  return `.${fileName.slice(0, -'.json'.length)}${suffix}.final`
}

const hashOf = rememberByText((nonce) => sha256Hex(nonce).slice(0, 32))

/**
 * The name of the claim of one revision. Its text is the answer file of this revision, so that of two hosts that write at once,
 * one starts again with what the other has stored.
 */
export const revisionClaimName = (fileName: string, nonce: string, revision: number): string =>
  claimFileName(fileName, nonce).replace(/final$/, `r${revision}`)

/** The numbers in the names of one question's revision claims, among other names. */
export function revisionsAmong(entries: readonly string[], fileName: string, nonce: string): number[] {
  const prefix = revisionClaimName(fileName, nonce, 0).slice(0, -1)
  return entries.flatMap((entry) => {
    const number = entry.startsWith(prefix) ? entry.slice(prefix.length) : ''
    return /^[1-9]\d{0,8}$/.test(number) ? [Number(number)] : []
  })
}

const CLAIM = /^\.([^~]+)(~[0-9a-f]{32})?\.(?:final|r\d{1,9})$/

/** The file name in either folder that an entry is about; `null` for temporary and other people's files. */
export function fileOfEntry(entry: string): string | null {
  if (!entry.startsWith('.')) return entry.endsWith('.json') ? entry : null
  const name = CLAIM.exec(entry)?.[1]
  return name === undefined ? null : `${name}.json`
}
