// The host's end of a file channel, for other processes.
import { createFileHostChannel, createLocalFiles } from '@sandagent/files'

/** @param {string} workdir */
export const createHost = (workdir) => createFileHostChannel({ files: createLocalFiles(workdir) })
