// Removes what the build made, so that nothing of a renamed or deleted source stays behind.

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const groups = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(group, name)),
)
for (const folder of [
  ...groups,
  'lab/bench',
  'lab/torture',
  'examples/start/next',
  'examples/start/next-ai-sdk',
]) {
  for (const built of ['dist', '.next']) rmSync(join(root, folder, built), { recursive: true, force: true })
}
