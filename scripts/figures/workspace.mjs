import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

/**
 * The files of the repository that match, committed or not yet, by their paths from the root.
 *
 * @param {...string} patterns as `git ls-files` takes them
 * @returns {string[]}
 */
export function filesLike(...patterns) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path)))
}

/** @param {string} path */
export const linesIn = (path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1

/** @param {string} path from the root */
export const packageOf = (path) => path.split('/')[1] ?? path

/** @param {string} name */
const manifestOf = (name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))

/**
 * @param {string} name
 * @returns {string[]} what a package exports
 */
export const entriesOf = (name) => Object.keys(manifestOf(name).exports)

/**
 * A package and those of this repository that it is installed with.
 *
 * @param {string} name
 * @param {Set<string>} [found]
 * @returns {Set<string>}
 */
export function withDependencies(name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  for (const dependency of Object.keys(manifestOf(name).dependencies ?? {}))
    if (dependency.startsWith('@sandagent/')) withDependencies(dependency.slice('@sandagent/'.length), found)
  return found
}
