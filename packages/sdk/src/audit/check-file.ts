import { createReadStream } from 'node:fs'
import type { Passkey } from '@sandagent/core'
import { type AuditLine, MAX_LINE_BYTES, readLine } from './audit-line.ts'
import { passkeyLineFault } from './check-passkey-line.ts'

/** More faults than these are not reported: a foreign file may have millions of lines. */
export const MOST_FAULTS = 100

/** What is wrong in an audit log, and where. */
export interface AuditFault {
  file: string
  /** From 1; 0 for what is wrong with the whole file. */
  line: number
  /**
   * - `unreadable`: the line is no line of an audit log.
   * - `changed`: the text of the line does not fit its hash.
   * - `broken`: the line does not follow the line above: lines were removed, added or moved there.
   * - `missing`: a line or a file that must be there is not.
   * - `unproven`: what a passkey has signed does not fit the line.
   */
  kind: 'unreadable' | 'changed' | 'broken' | 'missing' | 'unproven'
  /** The same in a sentence. */
  text: string
}

export interface CheckedFile {
  /** Lines with a decision. */
  decisions: number
  /** Those that a passkey has signed. */
  signed: number
  /** The hash of the last line; empty without one. */
  last: string
  faults: AuditFault[]
  notes: string[]
}

/**
 * Checks the chain of one file.
 *
 * @param onHash called with the hash of each line
 * @param proofs what passkeys signed in the lines before, of all files, by their signatures. It is added to
 */
export async function checkFile(
  file: string,
  onHash: (hash: string) => void,
  passkeys?: readonly Passkey[],
  proofs: Map<unknown, FoundProof> = new Map(),
): Promise<CheckedFile> {
  const faults: AuditFault[] = []
  const notes: string[] = []
  let above = { seq: 0, hash: '' }
  let decisions = 0
  let signed = 0
  let number = 0
  const fault = (kind: AuditFault['kind'], text: string): void => {
    if (faults.length < MOST_FAULTS) faults.push({ file, line: number, kind, text })
  }
  for await (const text of linesOf(file)) {
    number += 1
    if (text === null) {
      notes.push(`${file} ends in the middle of line ${number}: the process or the machine stopped there.`)
      break
    }
    const read = readLine(text)
    if (!read) {
      fault('unreadable', `Line ${number} is no line of an audit log.`)
      continue
    }
    const { line, isWhole } = read
    if (!isWhole) fault('changed', `Line ${number} was changed: its text does not fit its hash.`)
    else if (line.seq !== above.seq + 1 || line.previous !== above.hash)
      fault('broken', `Line ${number} does not follow the line above: lines were removed, added or moved.`)
    const { action, missed, passkey } = line.content
    if (passkey !== undefined) {
      const { signature } = Object(passkey)
      const before = proofs.get(signature)
      const proof = { place: `line ${number} of ${file}`, decision: decisionIn(line.content) }
      proofs.set(signature, before ?? proof)
      if (!before) signed += 1
      // Who sends an answer again sends its proof again.
      const unproven =
        before === undefined || before.decision === proof.decision
          ? await passkeyLineFault(line.content, passkeys)
          : `the same signature is in ${before.place}`
      if (unproven !== null) fault('unproven', `Line ${number} is not what a passkey signed: ${unproven}.`)
    }
    if (action !== 'opened') decisions += 1
    if (typeof missed === 'number' && notes.length < MOST_FAULTS)
      notes.push(`${file}: ${missed} decisions before could not be written.`)
    above = line
    onHash(line.hash)
  }
  if (number === 0) fault('missing', 'The file is empty.')
  return { decisions, signed, last: above.hash, faults, notes }
}

/** What a passkey signed, as the log has it. */
export interface FoundProof {
  /** Where it stands first. */
  place: string
  /** Whose it is, and what for, in one text. */
  decision: string
}

const decisionIn = ({ sandboxId, toolCallId, answeredBy, passkey }: AuditLine['content']): string =>
  JSON.stringify([sandboxId, toolCallId, answeredBy, passkey])

/** The lines of a file; `null` for a last line without its end. */
async function* linesOf(path: string): AsyncGenerator<string | null> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.toString('utf8', 0, end)
      rest = rest.subarray(end + 1)
    }
    // A line without an end must not fill the memory. Its beginning is no line of a log either.
    rest = rest.subarray(0, MAX_LINE_BYTES)
  }
  if (rest.length > 0) yield null
}
