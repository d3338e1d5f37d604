import { watch } from 'node:fs'
import { basename } from 'node:path'

/** What a system watch reports. */
interface SystemWatchEvents {
  /** An entry of this name changed, or without a name, any entry. */
  onChange: (name: string | null) => void
  /** The directory went away, and the watch ended. */
  onGone: () => void
  /** The system refuses to watch, such as `ENOSPC` and `EMFILE` when its limits are reached. */
  onError: (error: unknown) => void
}

/** A watch that reports. */
export interface SystemWatch {
  close(): void | Promise<void>
  /** Whether the watch keeps this process running. Missing where that cannot be chosen: then it does. */
  ref?(): unknown
  unref?(): unknown
}

/**
 * Watches the entries of one existing directory, not what is below them. Resolves once every further change is reported.
 * Rejects if the system refuses.
 */
export type StartSystemWatch = (directory: string, events: SystemWatchEvents) => Promise<SystemWatch>

/** Watches by Node's `fs.watch`, as it works on Linux: it reports every change of an entry with the entry's name. */
export const startInotifyWatch: StartSystemWatch = async (directory, { onChange, onGone, onError }) => {
  const watcher = watch(directory, (event, name) => {
    onChange(name)
    if (event === 'rename' && name === basename(directory)) onGone()
  })
  watcher.on('error', onError)
  return watcher
}
