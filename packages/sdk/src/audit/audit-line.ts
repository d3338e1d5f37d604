import { createHash } from 'node:crypto'
import type { Decision } from '../http/audit.ts'

/** The first line of each file. Its facts tie the file to the others in its folder. */
export interface OpenedLine {
  /** ISO 8601. */
  at: string
  action: 'opened'
  /** The hash of the last line of other files, by their names: of those that no other file names. */
  after: Readonly<Record<string, string>>
  /** The files that were removed to keep only as many as asked for, with the hash of their last lines. */
  removed?: Readonly<Record<string, string>>
  /** How many decisions could not be written before: the disk was full, for instance. */
  missed?: number
}

/** A decision as it is logged. */
export interface LoggedDecision extends Decision {
  /** How many refusals were left out before this line, because there were too many within a minute. */
  leftOut?: number
}

/** The place of a line in its file's chain. */
export interface Link {
  /** From 1. */
  seq: number
  /** The hash of the line before; empty for the first. */
  previous: string
}

/** A line as it stands in a file. */
export interface AuditLine extends Link {
  content: Readonly<Record<string, unknown>>
  hash: string
}

/** The longest line that is read. A decision has a few hundred characters, a list of files some thousand. */
export const MAX_LINE_BYTES: number = 1024 * 1024

const SEAL = /,"hash":"([0-9a-f]{64})"\}$/

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The text of a line, without its end, and its hash: SHA-256 of all that stands before the hash, with a closing brace. */
export function sealLine(
  { seq, previous }: Link,
  content: LoggedDecision | OpenedLine,
): { text: string; hash: string } {
  const body = JSON.stringify({ seq, previous, ...content })
  const hash = sha256(body)
  return { text: `${body.slice(0, -1)},"hash":"${hash}"}`, hash }
}

/** A line of a file; `null` if it is none. `isWhole` is false when its hash does not fit its text. */
export function readLine(text: string): { line: AuditLine; isWhole: boolean } | null {
  const seal = SEAL.exec(text)
  if (!seal) return null
  const [end, hash] = seal as string[] as [string, string]
  const body = `${text.slice(0, -end.length)}}`
  const { seq, previous, ...content } = factsIn(body)
  if (typeof seq !== 'number' || typeof previous !== 'string') return null
  return { line: { seq, previous, content, hash }, isWhole: sha256(body) === hash }
}

/** The hashes by file names that an opening line has under `name`. */
export function hashesIn(line: AuditLine, name: 'after' | 'removed'): [file: string, hash: string][] {
  return Object.entries(line.content[name] ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
}

/** The facts in a text that ends with a brace; none if it is no JSON. */
function factsIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
