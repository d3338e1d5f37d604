import { usage } from './option-values.ts'

/** White space, a part in single quotes, one in double quotes, an escaped character, or plain characters. */
const PART = /(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/suy

/**
 * The words of a command line, as a shell reads its quotes and backslashes. Nothing else is special, because no shell runs.
 *
 * @throws AskError `INVALID_REQUEST` for a quote without its end
 */
export function shellWords(option: string, text: string): [string, ...string[]] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at = PART.lastIndex) {
    PART.lastIndex = at
    const match = PART.exec(text)
    if (!match) throw usage(`${option} has a quote or a backslash without its end: ${text}`)
    const [, space, single, double, escaped, plain] = match
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + (single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? escaped ?? plain)
  }
  if (word !== undefined) words.push(word)
  const [program, ...args] = words
  if (!program) throw usage(`${option} takes a command, such as "ssh user@host"`)
  return [program, ...args]
}
