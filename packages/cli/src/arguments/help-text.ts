import wrapAnsi from 'wrap-ansi'
import type { CommandLine, OptionSpec } from './command-line.ts'

const WIDTH = 100
const USUAL_GROUP = 'Options'

/** The help of a command, as text for a terminal. */
export function helpText({ usage, about, options, examples }: CommandLine): string {
  const groups = new Map<string, [string, OptionSpec][]>()
  for (const [name, option] of Object.entries(options)) {
    const { group = USUAL_GROUP } = option
    groups.set(group, [...(groups.get(group) ?? []), [name, option]])
  }
  const lines = usage.map((line, index) => `${index === 0 ? 'Usage:' : '      '} sandagent ${line}`)
  const sections = [...groups].map(([group, entries]) => `${group}:\n${rows(entries)}`)
  const shown = examples.map(([line, effect]) => `  sandagent ${line}\n      ${effect}`)
  return `${[lines.join('\n'), wrap(about, WIDTH).join('\n'), ...sections, `Examples:\n${shown.join('\n')}`].join('\n\n')}\n`
}

function rows(entries: readonly [string, OptionSpec][]): string {
  const heads = entries.map(([name, { value }]) => `--${name}${value === undefined ? '' : ` ${value}`}`)
  const width = Math.max(...heads.map((head) => head.length)) + 4
  return entries
    .flatMap(([, { help }], index) => {
      const [first, ...more] = wrap(help, WIDTH - width)
      return [`  ${heads[index]}`.padEnd(width) + first, ...more.map((line) => ' '.repeat(width) + line)]
    })
    .join('\n')
}

const wrap = (text: string, width: number): string[] => wrapAnsi(text, width).split('\n')
