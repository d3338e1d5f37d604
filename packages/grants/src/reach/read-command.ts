/** The words of a shell command; or what keeps it from being read surely, in plain words. */
export type ReadCommand = { words: string[] } | { fault: string }

/** Longer commands are not read. */
const MOST_CHARS = 4000

/**
 * What every POSIX shell takes as it is: plain characters, and quotes in which nothing is expanded. Words are parted by spaces.
 * Everything else may mean something else than it seems to: operators, substitutions, patterns, escapes, other spaces. To
 * fish, a backslash in single quotes escapes.
 */
const PART = / +|[A-Za-z0-9_./:@+,=-]+|'[^'\\\p{C}\p{Zl}\p{Zp}]*'|"[^"$`\\!\p{C}\p{Zl}\p{Zp}]*"/uy

const OPERATORS = ['&&', '||', '$(', '>>', '<<', '<(', '>(']

/**
 * Reads the command of a shell tool. It reads less than a shell does, on purpose: a command that means one thing here and
 * another thing there would be allowed unseen.
 */
export function readCommand(command: string): ReadCommand {
  if (command.length > MOST_CHARS) return { fault: `it has more than ${MOST_CHARS} characters` }
  const words: string[] = []
  let isWithin = false
  for (PART.lastIndex = 0; PART.lastIndex < command.length; ) {
    const at = PART.lastIndex
    const part = PART.exec(command)?.[0]
    if (part === undefined) return { fault: `it has ${signAt(command, at)}` }
    if (part.startsWith(' ')) isWithin = false
    else {
      if (isWithin) words[words.length - 1] += part
      else words.push(part)
      isWithin = true
    }
  }
  return words.length > 0 ? { words } : { fault: 'it is empty' }
}

/** The words of a command as a person reads them. */
export const shownWords = (words: readonly string[]): string => `\`${words.join(' ')}\``

function signAt(command: string, at: number): string {
  const rest = command.slice(at)
  const operator = OPERATORS.find((each) => rest.startsWith(each))
  if (operator !== undefined) return `\`${operator}\``
  const sign = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  if (sign === '\n' || sign === '\r') return 'a line break'
  if (sign === '`') return 'a backtick'
  if (sign === "'" || sign === '"') return 'quotes that a shell may expand'
  if (/^[!-~]$/.test(sign)) return `\`${sign}\``
  return `a character that looks like another one, or like none (U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`
}
