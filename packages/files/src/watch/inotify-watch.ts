import { watch } from 'node:fs'
import { basename } from 'node:path'
import type { StartSystemWatch, SystemWatch } from './system-watch.ts'

/** Watches by Node's `fs.watch`, as it works on Linux: it reports every change of an entry with the entry's name. */
export const startInotifyWatch: StartSystemWatch = (
  directory,
  { onChange, onGone, onError },
): SystemWatch => {
  const ready = Promise.resolve()
  try {
    const watcher = watch(directory, (event, name) => {
      onChange(name)
      if (event === 'rename' && name === basename(directory)) onGone()
    })
    watcher.on('error', onError)
    return { ready, close: async () => watcher.close() }
  } catch (error) {
    // The caller must have the watch before it hears of its error.
    queueMicrotask(() => onError(error))
    return { ready, close: async () => {} }
  }
}
