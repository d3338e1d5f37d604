/** A word for the shells of Unix. */
export const quoted = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** A program and its arguments as a line for the shells of Unix. */
export const shellLine = (argv: readonly string[]): string => argv.map(quoted).join(' ')
