import type { Readable, Writable } from 'node:stream'

/** Where a person is asked, and until when; the form that `@clack/prompts` takes. */
export interface Console {
  input: Readable
  output: Writable
  /** Aborts when the question ended otherwise. */
  signal: AbortSignal
}
