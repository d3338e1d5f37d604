import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../run.mjs'
import { filesLike, linesIn } from './workspace.mjs'

const MOST_ENTRIES = 15
const MOST_LINES = 250
const MOST_COLUMNS = 128

/** @returns {string[]} a line for each folder of the sources that has too many files and folders to be read at a glance */
export function wideFolders() {
  /** @type {Map<string, Set<string>>} */
  const entries = new Map()
  for (const path of filesLike('packages/*/src/*')) {
    for (let inner = path; !inner.endsWith('/src'); inner = dirname(inner)) {
      const folder = dirname(inner)
      entries.set(folder, (entries.get(folder) ?? new Set()).add(inner))
    }
  }
  return [...entries]
    .filter(([, { size }]) => size > MOST_ENTRIES)
    .map(([folder, { size }]) => `${folder}: ${size} entries, and at most ${MOST_ENTRIES} may be there`)
}

/** @returns {string[]} a line for each file of the sources that is too long; a list of exports may be longer */
export const longFiles = () =>
  filesLike('packages/*/src/*.ts', 'packages/*/src/*.tsx')
    .filter((path) => !/\/src\/(index|internal)\.ts$/.test(path))
    .map((path) => ({ path, lines: linesIn(path) }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, and at most ${MOST_LINES} may be there`)

/** @returns {string[]} a line for each line of a comment that is too long; a type stays in one line */
export const longComments = () =>
  filesLike('*.ts', '*.tsx', '*.mjs').flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((text, index) => ({ text, line: index + 1 }))
      .filter(({ text }) => text.length > MOST_COLUMNS && /^\s*(\/\/|\/?\*)/.test(text))
      .filter(({ text }) => !/@type|biome-ignore/.test(text))
      .map(
        ({ text, line }) =>
          `${path}:${line}: ${text.length} characters, and at most ${MOST_COLUMNS} may be there`,
      ),
  )
