// Why it is so: docs/decisions/0115-an-answer-names-its-files.md

import * as v from 'valibot'
import type { Fault } from '../../lib/errors.ts'
import { listOf } from '../../lib/schema.ts'
import { withoutHidden } from '../../lib/text/printable.ts'
import { ATTACHMENT_LIMITS } from '../../question/limits.ts'
import { allowsFreeText, type Question } from '../../question/question.ts'
import { FILE_LOSSES, type FileLoss } from './file-loss.ts'
import { sizeText } from './files-for-people.ts'

/** A file that a person gives with an answer. Its bytes are stored beside the answers, see {@link attachmentFileName}. */
export interface Attachment {
  /** As the person sees it. It is no path: see {@link attachmentName}. */
  name: string
  /** As the host has read it from the bytes, or else as the client says. */
  mediaType: string
  /** In bytes. */
  size: number
  /** The SHA-256 of the bytes, in hex. */
  sha256: string
  /** Only in an outcome: where the agent finds the bytes, which are as the answer says. */
  path?: string | undefined
  /** Only in an outcome, in place of `path`: why the agent does not have the bytes. */
  missing?: FileLoss | undefined
}

/** The media types whose bytes say what they are. Their files end as their programs expect it. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
}

/** What the bytes of a file begin with, as pairs of offset and signature in hex. */
const SIGNATURES: readonly (readonly [mediaType: string, ...parts: (readonly [number, string])[]])[] = [
  ['image/png', [0, '89504e470d0a1a0a']],
  ['image/jpeg', [0, 'ffd8ff']],
  ['image/gif', [0, '474946383761']],
  ['image/gif', [0, '474946383961']],
  ['image/webp', [0, '52494646'], [8, '57454250']],
  ['application/pdf', [0, '255044462d']],
]

/** How many bytes {@link mediaTypeOf} needs. */
const SIGNED_BYTES = 12

/** What any bytes are, if nobody knows better. */
const ANY_BYTES = 'application/octet-stream'

const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,63}\/[a-z0-9][\w!#$&^.+-]{0,63}$/

/**
 * The media type of a file, by its first bytes. A claimed type counts only for bytes that say nothing. Then it is no type whose
 * bytes would say something.
 */
export function mediaTypeOf(head: Uint8Array, claimed: string): string {
  const bytes = head.subarray(0, SIGNED_BYTES)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const [found] =
    SIGNATURES.find(([, ...parts]) => parts.every(([at, sign]) => hex.startsWith(sign, 2 * at))) ?? []
  const plain = claimed.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  return found ?? (MEDIA_TYPE.test(plain) && !(plain in ENDINGS) ? plain : ANY_BYTES)
}

/** Whether pages and models can show a file as an image: never a format that can hold programs, such as SVG. */
export const isRasterImage = ({ mediaType }: Pick<Attachment, 'mediaType'>): boolean =>
  mediaType.startsWith('image/') && mediaType in ENDINGS

/** The name of the file with the bytes. It follows from the bytes alone, so that they are stored once. */
export const attachmentFileName = ({ sha256, mediaType }: Pick<Attachment, 'sha256' | 'mediaType'>): string =>
  sha256 + (Object.hasOwn(ENDINGS, mediaType) ? ENDINGS[mediaType] : '')

/** The file names that {@link attachmentFileName} makes. */
export const ATTACHMENT_FILE: RegExp = /^[0-9a-f]{64}(?:\.(?:png|jpg|gif|webp|pdf))?$/

/** The names of devices on Windows, which takes superscript digits for digits there. */
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?=\s*(?:\.|$))/i

/** What some system does not take in a name, and what looks like the slash of a path. */
const NOT_IN_NAMES = /[<>:"|?*\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/g

/** How many characters of a name are kept before its ending. */
const LONGEST_STEM = 60

/** The name of a file as it may stand in an answer: no path, nothing hidden, a name that every system takes. */
export function attachmentName(given: string): string {
  const last = given.slice(-1000).split(/[/\\]/).at(-1) ?? ''
  const plain = withoutHidden(last)
    .replaceAll(NOT_IN_NAMES, '_')
    .replace(/^[\s.]+/, '')
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? ''
  const stem = Array.from(plain.slice(0, plain.length - ending.length))
  const upTo = (most: number): string =>
    (stem.slice(0, most).join('') + ending).replace(/(?<![\s.])[\s.]+$/, '')
  const name = upTo(LONGEST_STEM)
  // It stays as long: the name of a name is itself.
  return (RESERVED.test(name) ? `_${upTo(LONGEST_STEM - 1)}` : name) || 'file'
}

const digits = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most))

const named = {
  name: v.pipe(
    v.string(),
    v.check(
      (name) => name === attachmentName(name),
      'a name that every system takes: no path, nothing hidden, 60 characters and an ending',
    ),
  ),
  mediaType: v.pipe(v.string(), v.regex(MEDIA_TYPE, 'a media type in lower case, such as image/png')),
  size: digits(ATTACHMENT_LIMITS.bytes),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hex')),
}

/** The shape of `GivenResponse.files`. */
export const attachmentsSchema: v.GenericSchema<unknown, Attachment[]> = listOf(
  v.object(named),
  ATTACHMENT_LIMITS.files,
)

/** The shape of the files of an outcome. */
export const placedFilesSchema: v.GenericSchema<unknown, Attachment[]> = listOf(
  v.object({
    ...named,
    path: v.exactOptional(v.string()),
    missing: v.exactOptional(v.picklist(FILE_LOSSES)),
  }),
  ATTACHMENT_LIMITS.files,
)

/** What a question takes, with its limits. `null`: it takes no files. */
export const filesTaken = ({ files }: Question): { max: number; maxBytes: number; types: string[] } | null =>
  files
    ? {
        max: files.max ?? ATTACHMENT_LIMITS.files,
        maxBytes: files.maxBytes ?? ATTACHMENT_LIMITS.bytes,
        types: files.types ?? [],
      }
    : null

/** Whether nothing but files can answer a question. */
export const takesOnlyFiles = (question: Question): boolean =>
  question.files !== undefined && !allowsFreeText(question) && !question.options?.length

/** What is wrong with one file for a question, in the words of what was expected; `null` if nothing is. */
export function attachmentFault(
  question: Question,
  { mediaType, size }: Pick<Attachment, 'mediaType' | 'size'>,
): string | null {
  const taken = filesTaken(question)
  if (!taken) return 'no files: this question takes none'
  const { maxBytes, types } = taken
  if (size > maxBytes) return `a file of at most ${sizeText(maxBytes, 'en')}`
  // Any other image is only called one by who gives it, and may be a page or a program.
  const fits = (type: string): boolean =>
    type === mediaType ||
    (type === 'image/*'
      ? isRasterImage({ mediaType })
      : type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)))
  return types.length === 0 || types.some(fits) ? null : `a file of the type ${types.join(', ')}`
}

/** What is wrong with the files of a response. */
export function attachmentFaults(question: Question, files: readonly Attachment[], path: string): Fault[] {
  const { max } = filesTaken(question) ?? { max: 0 }
  const each = files.flatMap((file, index): Fault[] => {
    const expected = attachmentFault(question, file)
    return expected === null ? [] : [{ path: `${path}.${index}`, expected }]
  })
  if (max > 0 && files.length > max) each.push({ path, expected: `at most ${max} files` })
  if (new Set(files.map(attachmentFileName)).size < files.length)
    each.push({ path, expected: 'each file once' })
  return each
}
