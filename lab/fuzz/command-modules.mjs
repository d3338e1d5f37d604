// The modules of the command, each compiled alone. The command itself is a bundle, and gives none of its parsers away.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'rolldown/utils'
import { root } from '../../scripts/run.mjs'
import { modulesIn } from '../mutants/import-graph.mjs'

/** Where they are, in the place of `/src/`. There they find the packages that the command imports. */
export const COMMAND = '/node_modules/.cache/fuzz/'

/** Compiles them, as `tsc` would. */
export function compileCommand() {
  for (const path of modulesIn(root, ['packages/cli/src/*'])) {
    const built = join(root, path.replace('/src/', COMMAND).replace(/\.tsx?$/, '.js'))
    mkdirSync(dirname(built), { recursive: true })
    const { code } = transformSync(path, readFileSync(join(root, path), 'utf8'), {
      typescript: { rewriteImportExtensions: true },
      jsx: { runtime: 'automatic' },
    })
    // Another run may read it.
    if (!existsSync(built) || readFileSync(built, 'utf8') !== code) writeFileSync(built, code)
  }
}
