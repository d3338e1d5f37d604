import { basename, resolve } from 'node:path'
import { FSWatcher } from 'chokidar'

/** What a {@link startNativeWatch} reports. */
export interface NativeWatchEvents {
  /** An entry of this name changed, or without a name, any entry. */
  onChange: (name: string | null) => void
  /** The directory went away, and the watch ended. */
  onGone: () => void
  /** The system refuses to watch, such as `ENOSPC` and `EMFILE` when its limits are reached. */
  onError: (error: unknown) => void
}

export interface NativeWatch {
  /** Resolves once every further change is reported. */
  ready: Promise<void>
  close(): Promise<void>
}

/** Uses only chokidar's event `raw`. For other events chokidar reads the directory and every file at each change. */
class RawWatcher extends FSWatcher {
  override _throttle(): false {
    return false
  }
}

/** Watches the entries of one existing directory, not what is below them. */
export function startNativeWatch(
  directory: string,
  { onChange, onGone, onError }: NativeWatchEvents,
): NativeWatch {
  const watcher = new RawWatcher({
    ignoreInitial: true,
    depth: 0,
    atomic: false,
    // Watches the directory, but not its files.
    ignored: (path) => resolve(path) !== directory,
  }).add(directory)
  const ready = new Promise<void>((done) => watcher.once('ready', done))
  watcher.on('raw', (event, name: string | null) => {
    onChange(name)
    if (event === 'rename' && name === basename(directory)) onGone()
  })
  watcher.on('error', onError)
  return {
    ready,
    async close() {
      // chokidar forgets the handle that it is just opening when it is closed before it is ready.
      await ready
      await watcher.close()
    },
  }
}
