import { createHash } from 'node:crypto'
import { AskError } from '@sandagent/core'

/** The header with the whole id, where the subject has only its hash. */
export const ID_HEADER = 'Sandagent-Id'

/** The header of the empty message that takes the place of a swept record. */
export const SWEPT_HEADER = 'Sandagent-Swept'

/** The longest id, in bytes, that a subject carries itself. */
const MAX_ID_BYTES = 120

/** JetStream takes 64 KiB of headers. */
const MAX_HEADER_BYTES = 60_000

/** Where the texts of a bucket are. */
export interface BucketNames {
  bucket: string
  stream: string
  /** What all subjects begin with. */
  root: string
}

export type TextKind = 'q' | 'a'

/** What the subject of a text says. */
export interface SubjectFacts {
  kind: TextKind
  namespace: string
  pass: string
  token: string
}

/** @throws AskError `INVALID_REQUEST` for another name than letters, digits, - and _ */
export function bucketNames(bucket: string): BucketNames {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(bucket))
    throw new AskError('INVALID_REQUEST', 'A bucket has up to 60 letters, digits, - and _ as its name')
  return { bucket, stream: `KV_${bucket}`, root: `$KV.${bucket}` }
}

/** Half of a UTF-16 pair has no UTF-8. */
const isUtf8 = (text: string): boolean => Buffer.from(text).toString() === text

/** Ids may be any text. A token has no dots, wildcards or spaces, so no id reaches another subject. */
export function tokenOf(id: string): string {
  const bytes = Buffer.from(id, 'utf8')
  if (bytes.length <= MAX_ID_BYTES && isUtf8(id)) return `i${bytes.toString('base64url')}`
  return `h${createHash('sha256').update(id, 'utf16le').digest('base64url')}`
}

/**
 * Puts an id into a header if its token is a hash.
 *
 * @throws AskError `TOO_LARGE` for an id that fits into no header
 */
export function nameIn(header: { set(name: string, value: string): void }, id: string): void {
  if (!tokenOf(id).startsWith('h')) return
  const value = isUtf8(id)
    ? `u${Buffer.from(id).toString('base64url')}`
    : `w${Buffer.from(id, 'utf16le').toString('base64url')}`
  if (value.length > MAX_HEADER_BYTES)
    throw new AskError('TOO_LARGE', `NATS takes ids of tool calls up to ${(MAX_HEADER_BYTES * 3) / 4} bytes`)
  header.set(ID_HEADER, value)
}

/** The id of a token, or `null` if no id has this token. */
export function idOf(token: string, header: string): string | null {
  const bytes = Buffer.from((token.startsWith('h') ? header : token).slice(1), 'base64url')
  const id = bytes.toString(token.startsWith('h') && header.startsWith('w') ? 'utf16le' : 'utf8')
  return tokenOf(id) === token ? id : null
}

export const textSubject = (
  { root }: BucketNames,
  namespace: string,
  pass: string,
  kind: TextKind,
  toolCallId: string,
): string => `${root}.${namespace}.${pass}.${kind}.${tokenOf(toolCallId)}`

/** What a subject of the bucket says; `null` for one that is no text's, such as a barrier's. */
export function readSubject({ root }: BucketNames, subject: string): SubjectFacts | null {
  const [namespace = '', pass = '', kind, token] = subject.slice(root.length + 1).split('.')
  return (kind === 'q' || kind === 'a') && token ? { kind, namespace, pass, token } : null
}
