import { unreachable } from '@sandagent/core/internal'

/** @throws AskError `UNREACHABLE` with `complaint` if the system, or a file, fails */
export async function reach<T>(work: T | Promise<T>, complaint: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw unreachable(complaint, error)
  }
}
