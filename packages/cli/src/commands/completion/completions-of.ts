import type { CommandLine } from '../../arguments/command-line.ts'

/**
 * What can stand in the place of the last word. Nothing, where a file or a word of the person's own belongs.
 *
 * @param given the words behind `sandagent`. bash makes a word of each `=`
 */
export function completionsOf(
  given: readonly string[],
  commands: Readonly<Record<string, { line: CommandLine }>>,
): string[] {
  const [last = '', ...earlier] = [...given].reverse()
  const typed = last === '=' ? '' : last
  const before = earlier.reverse().filter((word) => word !== '=')
  const beginning = (words: readonly string[]): string[] => words.filter((word) => word.startsWith(typed))

  const names = Object.keys(commands)
  const name = names.find((known) => known === before.slice(0, known.split(' ').length).join(' '))
  const command = name === undefined ? undefined : commands[name]
  if (!command) {
    const next = names
      .map((known) => known.split(' '))
      .filter((known) => before.every((word, index) => word === known[index]))
      .flatMap((known) => known[before.length] ?? [])
    const own = before.length === 0 ? ['--help', '--version'] : []
    return beginning([...new Set(next), ...own])
  }
  if (before.includes('--')) return []

  const { options, words = [] } = command.line
  const optionAt = (word: string | undefined) =>
    word?.startsWith('--') && Object.hasOwn(options, word.slice(2)) ? options[word.slice(2)] : undefined
  const [, joined = '', value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? []
  if (value !== undefined)
    return (optionAt(joined)?.words ?? [])
      .filter((word) => word.startsWith(value))
      .map((word) => `${joined}=${word}`)
  const asked = optionAt(before.at(-1))
  if (asked?.value !== undefined) return beginning(asked.words ?? [])
  if (typed.startsWith('-'))
    return beginning([...Object.keys(options), 'help'].map((option) => `--${option}`))
  return beginning(words)
}
