import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AskError } from '@sandagent/core'
import { packageFolder } from '../package-folder.ts'
import { findProgram } from './find-program.ts'
import { pathOutside } from './path-outside.ts'

const LAUNCHER = 'launcher/launcher.js'

/**
 * The launcher of isolated programs. It is a bundled file, even if the sources run: only Node itself starts it. A relay that
 * came as one file uses that of an installed `sandagent`, because the launcher has programs of its own.
 *
 * @param own where this package has it
 * @throws AskError `ISOLATION_UNAVAILABLE` without either
 */
export async function launcherFile(own: string = join(packageFolder(), 'dist', LAUNCHER)): Promise<string> {
  if (existsSync(/* turbopackIgnore: true */ own)) return own
  const command = await findProgram('sandagent', { path: pathOutside(), folder: '/' })
  const installed = command === null ? '' : join(dirname(realpathSync(command)), LAUNCHER)
  if (existsSync(installed)) return installed
  throw new AskError(
    'ISOLATION_UNAVAILABLE',
    'the launcher of isolated programs is missing (npm install -g sandagent)',
  )
}
