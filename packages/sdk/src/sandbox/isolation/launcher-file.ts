import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AskError } from '@sandagent/core'
import { installedRunner } from '../installed-runner.ts'
import { packageFolder } from '../package-folder.ts'
import { codeFolders } from './code-folders.ts'
import { findProgram } from './find-program.ts'
import { foldersAbove, isInside, isInWorkdir, pathOutside } from './path-outside.ts'

const LAUNCHER = 'launcher/launcher.js'

/**
 * The package with the launcher's own programs, in the version that the launcher was made for. Hosts that start no programs
 * do not install it: see docs/decisions/0024-a-process-between-host-and-program.md.
 */
export const RUNTIME = { name: '@anthropic-ai/sandbox-runtime', version: '0.0.83' } as const

/**
 * The launcher of isolated programs. It is a bundled file, even if the sources run: only Node itself starts it. Where this
 * package has no runtime, it is that of the `sandagent` beside it, which brings one. A relay that came as one file has none of
 * its own, and uses that of an installed `sandagent`.
 *
 * @param own where this package has it
 * @throws AskError `ISOLATION_UNAVAILABLE` without either
 */
export async function launcherFile(own: string = join(packageFolder(), 'dist', LAUNCHER)): Promise<string> {
  if (existsSync(/* turbopackIgnore: true */ own)) return hasRuntime(own) ? own : (launcherBeside() ?? own)
  const command = await findProgram('sandagent', { path: pathOutside(), folder: '/' })
  const installed = command === null ? '' : join(dirname(realpathSync(command)), LAUNCHER)
  if (existsSync(installed)) return installed
  throw new AskError(
    'ISOLATION_UNAVAILABLE',
    'the launcher of isolated programs is missing (npm install -g sandagent)',
  )
}

/** @throws AskError `ISOLATION_UNAVAILABLE` when the launcher finds no runtime */
export function checkRuntime(launcher: string): void {
  if (hasRuntime(launcher)) return
  throw new AskError(
    'ISOLATION_UNAVAILABLE',
    `The sandbox runtime, which isolates programs, is not installed. Install it: npm install ${RUNTIME.name}@${RUNTIME.version}. Where programs may do what the user of the host may do, set isolation to 'none' instead`,
  )
}

/**
 * The launcher of the `sandagent` beside this package. It protects the folders of its own code: they must be those of this one.
 */
function launcherBeside(): string | null {
  const runner = installedRunner([dirname(fileURLToPath(import.meta.url))])
  if (runner === null) return null
  const launcher = join(dirname(runner), LAUNCHER)
  const isOfThisCode = String(codeFolders(join(dirname(runner), '..'))) === String(codeFolders())
  return isOfThisCode && existsSync(launcher) && hasRuntime(launcher) ? launcher : null
}

/** Whether Node finds the runtime from there, at a place that no program of an agent can write to. */
function hasRuntime(launcher: string): boolean {
  const found = foldersAbove(realpathSync(launcher))
    .map((folder) => join(/* turbopackIgnore: true */ folder, 'node_modules', RUNTIME.name))
    .find((folder) => existsSync(folder))
  return (
    found !== undefined && [found, realpathSync(found)].every((path) => isCode(path) || !isInWorkdir(path))
  )
}

/** Isolated programs can read code, and not write it. */
const isCode = (path: string): boolean => codeFolders().some((folder) => isInside(folder, path))
