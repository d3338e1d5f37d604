import * as v from 'valibot'

/** Which question a button or a form of Slack is for. Slack signs what it gives back. */
export interface QuestionRef {
  sandboxId: string
  toolCallId: string
  askedAt?: string | undefined
  questionDigest?: string | undefined
  /** The number of the option that a button stands for. */
  option?: number | undefined
}

const schema = v.object({
  sandboxId: v.string(),
  toolCallId: v.string(),
  askedAt: v.optional(v.string()),
  questionDigest: v.optional(v.string()),
  option: v.optional(v.number()),
})

/** The longest value of a button, in characters. */
const MOST = 2_000

/** A text for a button or a form; `null` if it would be too long. */
export function refText(ref: QuestionRef): string | null {
  const text = JSON.stringify(ref)
  return text.length > MOST ? null : text
}

const written = v.pipe(v.string(), v.parseJson(), schema)

/** `null` for a text that names no question. */
export function parseRef(text: string): QuestionRef | null {
  const parsed = v.safeParse(written, text)
  return parsed.success ? parsed.output : null
}
