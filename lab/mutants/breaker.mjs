// Puts a mutant into a copy of the repository, and takes it out.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'rolldown/utils'

/**
 * @typedef {object} Breaker
 * @property {readonly string[]} paths of what changes
 * @property {() => Promise<void>} mutate breaks the source, and what was built of it once `build` was called
 * @property {() => Promise<void>} restore the same, whole
 * @property {(options: { isProgram: boolean }) => Promise<void>} build lets other packages see the mutant, and programs
 * @property {() => Promise<void>} undo
 */

/**
 * @param {string} root of the copy
 * @param {import('./sample.mjs').Mutant} mutant
 * @returns {Breaker}
 */
export function createBreaker(root, { path, start, end, after }) {
  const source = readFileSync(join(root, path), 'utf8')
  const mutated = source.slice(0, start) + after + source.slice(end)
  const built = path.replace('/src/', '/dist/').replace(/\.tsx?$/, '.js')
  const files = [{ path, clean: source, mutated }]
  /** What the bundles were made of, once they count. @type {'clean' | 'mutated' | null} */
  let bundled = null
  const put = async (/** @type {'clean' | 'mutated'} */ state) => {
    for (const file of files) writeFileSync(join(root, file.path), file[state])
    if (bundled === null || bundled === state) return
    await bundle(root)
    bundled = state
  }
  return {
    paths: [path, built],
    mutate: () => put('mutated'),
    restore: () => put('clean'),
    async build({ isProgram }) {
      files.push({
        path: built,
        clean: readFileSync(join(root, built), 'utf8'),
        mutated: compiled(path, mutated),
      })
      if (isProgram) bundled = 'clean'
      await put('mutated')
    },
    undo: () => put('clean'),
  }
}

/**
 * As `tsc` compiles it.
 *
 * @param {string} path
 * @param {string} source
 */
function compiled(path, source) {
  return transformSync(path, source, {
    typescript: { rewriteImportExtensions: true },
    jsx: { runtime: 'automatic' },
  }).code
}

/** @param {string} root */
async function bundle(root) {
  const bundler = spawn(process.execPath, ['scripts/bundle.mjs'], { cwd: root, stdio: 'ignore' })
  await once(bundler, 'close')
}
