import { makeFolderSafely, type StateFolderOption, stateFolders } from '@sandagent/files/internal'

/** Only the host writes to these folders. */
export function readOnlyFolders(place: StateFolderOption): string[] {
  const { approvals, attachments, runs } = stateFolders(place)
  return [approvals, attachments, runs]
}

/** Writable inside, but never moved or removed. Otherwise a program could replace the host's folders. */
export function keptFolders(place: StateFolderOption): string[] {
  const { state, questions, home } = stateFolders(place)
  return [state, questions, home]
}

/**
 * Makes the folders that the sandbox mounts, before a program inside could make them.
 *
 * @throws AskError `UNSAFE_PATH` when one of them is a link or no folder.
 */
export async function makeWorkdirFolders(workdir: string, place: StateFolderOption): Promise<void> {
  for (const path of [...keptFolders(place), ...readOnlyFolders(place)]) await makeFolderSafely(workdir, path)
}
