// What is known of a parser, and what counts as a fault of it.

/**
 * @typedef {object} Parser
 * @property {string} name what it reads, behind its package: `core: an answer file`
 * @property {'json' | 'value' | 'text' | 'bytes'} kind of its input: the text of JSON, the value of JSON, other text, or bytes
 * @property {readonly unknown[]} samples valid ones: strings for `text` and `bytes`, else values
 * @property {readonly string[]} [words] that a text of this kind has
 * @property {(input: any, random: import('./random.mjs').Random) => unknown} read the parser. It may resolve later
 * @property {readonly string[]} refuses the codes of the `AskError`s that it throws
 * @property {boolean} [isSlow] it works with files: it gets fewer inputs
 * @property {(error: Error) => boolean} [mayThrow] further errors that are documented
 */

/** The longest message of an error, in characters: errors travel to logs and pages. */
const LONGEST_MESSAGE = 50_000

/**
 * What is wrong about an error of a parser; `null` for a refusal.
 *
 * @param {Parser} parser
 * @param {unknown} error
 * @returns {string | null}
 */
export function faultOf({ refuses, mayThrow }, error) {
  if (!(error instanceof Error)) return `It throws ${typeof error}`
  if (mayThrow?.(error)) return null
  const { name, message } = error
  if (name !== 'AskError') return `It throws ${error.stack?.slice(0, 600) ?? message}`
  const { code } = /** @type {Error & { code: string }} */ (error)
  if (!refuses.includes(code)) return `It refuses with ${code}: ${message.slice(0, 300)}`
  return message.length > LONGEST_MESSAGE ? `Its message has ${message.length} characters` : null
}
