// Packs the packages of this clone, for a project that tries them before a release.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packPackages } from './pack-packages.mjs'
import { root } from './run.mjs'

const folder = join(root, 'archives')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const { code, archives } = await packPackages(folder)
process.exitCode = code
if (code === 0)
  console.log(
    `${archives.length} packages are in ${folder}. In your project:\n\nnpm install ${join(folder, '*.tgz')}\n`,
  )
