import { dirname } from 'node:path'
import { filesLike, linesIn } from './workspace.mjs'

const MOST_ENTRIES = 15
const MOST_LINES = 250

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
