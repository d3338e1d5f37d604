import type { AnswerFile } from '@sandagent/core/internal'

export interface AnswerSource {
  /** Looks for the answer now. */
  find(): Promise<AnswerFile | null>
  /** Calls `report` when the answer may have changed. The returned function stops it. */
  watch(report: () => void): () => void
}

/**
 * Yields the answer to a question, and each change of it, until the signal aborts. It has no generators and no signal of its
 * own: thousands of questions may wait, and each keeps one.
 */
export function answersTo(source: AnswerSource, signal: AbortSignal): AsyncIterable<AnswerFile> {
  return { [Symbol.asyncIterator]: () => iterate(source, signal) }
}

function iterate({ find, watch }: AnswerSource, signal: AbortSignal): AsyncIterator<AnswerFile, void> {
  let last: string | null = null
  let isDue = true
  let isStopped = false
  let stopWatching = (): void => {}
  let wake = (): void => {}

  const stop = (): void => {
    isStopped = true
    signal.removeEventListener('abort', stop)
    stopWatching()
    wake()
  }
  const next = async (): Promise<IteratorResult<AnswerFile, void>> => {
    while (!isStopped) {
      if (isDue) {
        isDue = false
        const found = await find()
        const content = JSON.stringify(found)
        if (found && content !== last && !isStopped) {
          last = content
          return { done: false, value: found }
        }
      } else
        await new Promise<void>((done) => {
          wake = done
        })
    }
    return END
  }

  if (signal.aborted) isStopped = true
  else {
    signal.addEventListener('abort', stop)
    stopWatching = watch(() => {
      isDue = true
      wake()
    })
  }
  return {
    next: () =>
      next().catch((error: unknown) => {
        stop()
        throw error
      }),
    async return() {
      stop()
      return END
    },
  }
}

const END: IteratorReturnResult<void> = { done: true, value: undefined }
