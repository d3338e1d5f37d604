import { AskError } from '@sandagent/core/internal'
import type { SandboxFiles } from '@sandagent/files'

/** The files of a sandbox whose questions are in a store. `id` names the store, and the place in it. */
export function noFiles(id: string): SandboxFiles {
  const refuse = async (): Promise<never> => {
    throw new AskError(
      'UNREACHABLE',
      'The questions of this sandbox are in a store, and its files are elsewhere',
    )
  }
  return { id, read: async () => null, list: async () => [], writeAtomic: refuse }
}
