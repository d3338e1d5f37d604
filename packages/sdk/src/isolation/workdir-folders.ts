import { APPROVALS_FOLDER, makeFolderSafely, QUESTIONS_FOLDER } from '@sandagent/files'
import { RUNS_FOLDER } from '../runs/run-paths.ts'

/** The home of programs inside: what they keep from one run to the next, such as the sessions of Claude Code. */
export const HOME_FOLDER = '.sandagent/home'

/** Written by the host alone. */
export const READ_ONLY_FOLDERS: readonly string[] = [APPROVALS_FOLDER, RUNS_FOLDER]

/** Writable inside, but neither moved nor removed: or other folders could be put in the place of the host's. */
export const KEPT_FOLDERS: readonly string[] = ['.sandagent', QUESTIONS_FOLDER, HOME_FOLDER]

/**
 * Makes the folders that the sandbox mounts. They must be there before a program starts inside, or it could make them.
 *
 * @throws AskError `UNSAFE_PATH` when one of them is a link or no folder.
 */
export async function makeWorkdirFolders(workdir: string): Promise<void> {
  for (const path of [...KEPT_FOLDERS, ...READ_ONLY_FOLDERS]) await makeFolderSafely(workdir, path)
}
