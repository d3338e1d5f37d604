import { stripVTControlCharacters } from 'node:util'

/** What Node prints after an error: its stack, its properties, a hint, and the version of Node. */
const AFTERWARDS = /^\s+at |^\s*[\]}]|^\(Use `node |^Node\.js v\d/

/** Why a program failed, by its error output: its last line for people, or the error that this line belongs to. */
export function complaintIn(output: string): string | undefined {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => /\S/.test(line))
  const isTrace = AFTERWARDS.test(lines.at(-1) ?? '')
  const error = isTrace ? lines.findLast(isError) : undefined
  return (error ?? lines.findLast((line) => !AFTERWARDS.test(line)) ?? lines.at(-1))?.trim()
}

/** Whether a line begins with the name of an error: `Error: …`, `TypeError [ERR_CODE]: …`, `Uncaught Error: …`. */
function isError(line: string): boolean {
  const colon = line.indexOf(':')
  const [name = ''] = line.slice(0, Math.max(colon, 0)).replace('Uncaught ', '').split(' ', 1)
  return line[colon + 1] === ' ' && /^[\w.]+$/.test(name) && /(?:Error|Exception)$/.test(name)
}
