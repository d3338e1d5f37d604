import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foldersAbove } from './isolation/path-outside.ts'

/** The name by which `startRun` calls the runner. */
export const RUNNER = 'sandagent'

const MAIN = 'node_modules/sandagent/dist/main.js'

/**
 * Finds the runner that npm has installed for this process: `sandagent` beside this package, or beside the program that runs
 * in the current folder. Without npx, its command is not on the `PATH`. `null` if it is in neither place.
 *
 * @param places folders, each searched with all that are above it
 */
export function installedRunner(
  places: readonly string[] = [dirname(fileURLToPath(import.meta.url)), process.cwd()],
): string | null {
  const found = places
    .flatMap((place) => [place, ...foldersAbove(place)])
    .map((folder) => join(/* turbopackIgnore: true */ folder, MAIN))
    .find((path) => existsSync(path))
  return found === undefined ? null : realpathSync(found)
}
