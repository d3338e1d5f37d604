import { makeFolderSafely, type StateFolderOption, stateFolders } from '@sandagent/files/internal'

/** Written by the host alone. */
export function readOnlyFolders(place: StateFolderOption): string[] {
  const { approvals, runs } = stateFolders(place)
  return [approvals, runs]
}

/** Writable inside, but neither moved nor removed: or other folders could be put in the place of the host's. */
export function keptFolders(place: StateFolderOption): string[] {
  const { state, questions, home } = stateFolders(place)
  return [state, questions, home]
}

/**
 * Makes the folders that the sandbox mounts. They must be there before a program starts inside, or it could make them.
 *
 * @throws AskError `UNSAFE_PATH` when one of them is a link or no folder.
 */
export async function makeWorkdirFolders(workdir: string, place: StateFolderOption): Promise<void> {
  for (const path of [...keptFolders(place), ...readOnlyFolders(place)]) await makeFolderSafely(workdir, path)
}
