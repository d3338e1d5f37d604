import { stripVTControlCharacters } from 'node:util'

/** How the error of a program begins. */
const ERROR = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b[^:]*: /

/** What Node prints after an error: its stack, its properties, a hint, and the version of Node. */
const AFTERWARDS = /^\s+at |^\s*[\]}]|^\(Use `node |^Node\.js v\d/

/** Why a program failed, by its error output: its last line for people, or the error that this line belongs to. */
export function complaintIn(output: string): string | undefined {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => /\S/.test(line))
  const isTrace = AFTERWARDS.test(lines.at(-1) ?? '')
  const error = isTrace ? lines.findLast((line) => ERROR.test(line)) : undefined
  return (error ?? lines.findLast((line) => !AFTERWARDS.test(line)) ?? lines.at(-1))?.trim()
}
