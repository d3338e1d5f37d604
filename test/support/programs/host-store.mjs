// The host's half of a store over files, for other processes.
import { createFileHostStore, createLocalFiles } from '@sandagent/files'

/** @param {string} workdir */
export const hostStore = (workdir) => createFileHostStore({ files: createLocalFiles(workdir) })
