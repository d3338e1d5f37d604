import { errorCode } from '@sandagent/core/internal'

const MOST_TRIES = 10

/** Does some work again when it fails with this code of the system, because others work in the same folder. Ten times at most. */
export async function againOn<T>(code: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (errorCode(error) !== code || tries === MOST_TRIES) throw error
    }
}
