// Plain numbers, not calculated: bundlers keep calculations on every page.

/** Limits of one call. They keep its files below {@link MAX_FILE_BYTES}. */
export const QUESTION_LIMITS: Readonly<Record<'questions' | 'options' | 'totalChars', number>> = {
  questions: 50,
  options: 500,
  totalChars: 131_072,
}

/** Limits of the files that go with one response: how many, and the bytes of each. */
export const ATTACHMENT_LIMITS: Readonly<Record<'files' | 'bytes', number>> = {
  files: 20,
  bytes: 26_214_400,
}

/** How much a model reads of a text that a person typed: an answer, a note, a reason. The rest is cut off. */
export const MAX_TYPED_CHARS = 32_000

/** How deeply the input of another tool may be nested. Programs can still write such JSON. */
export const MAX_INPUT_DEPTH = 500

/** The longest JSON of a schema that goes with the input of another tool. */
export const MAX_SCHEMA_CHARS = 65_536

/** How many reasons go with an approval, and how long each may be. */
export const REASON_LIMITS: Readonly<Record<'reasons' | 'chars', number>> = { reasons: 8, chars: 2_000 }

/** The longest request body of the answer API: 256 KiB. */
export const MAX_BODY_BYTES = 262_144

/** The longest file that is read: 1 MiB. */
export const MAX_FILE_BYTES = 1_048_576

/** The longest time-out: 365 days. It keeps deadlines far from the end of dates. */
export const MAX_TIMEOUT_MS = 31_536_000_000
