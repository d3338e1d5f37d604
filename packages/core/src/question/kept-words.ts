/** Code, links and addresses in one group; or a word, with the code in it. */
const PARTS = /(!?\[[^[\]]*\]\([^()\s]*(?:\s[^()]*)?\)|<(?:https?:|mailto:)[^<>\s]*>)|(?:[^\s`]|`[^`]+`|`)+/gi

/** A word without signs, or with emphasis around it. `__init__` is a name. */
const EMPHASIS =
  /^(?!__\w+__)[^\p{L}\p{N}*_]{0,2}(?:\*{1,3}|_{1,3})?[\p{L}\p{N}"'“(][^*_]*(?:\*{1,3}|_{1,3})?[^\p{L}\p{N}*_]{0,3}$/u

/**
 * Changes the words of a label that Markdown would show with less signs than they have: paths, patterns and names. Somebody
 * who picks `src/**` must not read `src/`.
 */
export const changeNames = (label: string, change: (word: string) => string): string =>
  // Whoever nests code has signs to show.
  label.includes('``')
    ? change(label)
    : label.replace(PARTS, (part, link) => (link === undefined && isName(part) ? change(part) : part))

function isName(word: string): boolean {
  const bare = word.replace(/`[^`]+`/g, 'x')
  return /[\\/]/.test(bare) || (/[*_]/.test(bare) && !EMPHASIS.test(bare))
}
