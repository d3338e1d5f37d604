import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/run.mjs'

const path = join(root, 'test/node_modules/node24/bin/node')

/** A Node that is new enough for what does not run on the oldest one here. npm has it, for Linux on x64 alone. */
export const node24 = existsSync(path) ? path : undefined
