import { basename, resolve } from 'node:path'
import { watch } from 'chokidar'

/** What a {@link startNativeWatch} reports. */
export interface NativeWatchEvents {
  /** Something happened to an entry of this name, or, without one, to any. */
  onChange: (name: string | null) => void
  /** The directory went away; from here on the watch is deaf. */
  onGone: () => void
  /** The system refuses to watch, such as `ENOSPC` and `EMFILE` when its limits are reached. */
  onError: (error: unknown) => void
}

export interface NativeWatch {
  /** Resolves once every further change is reported. */
  ready: Promise<void>
  close(): Promise<void>
}

/** Watches the entries of one existing directory, not what is below them. */
export function startNativeWatch(
  directory: string,
  { onChange, onGone, onError }: NativeWatchEvents,
): NativeWatch {
  const watcher = watch(directory, {
    ignoreInitial: true,
    depth: 0,
    atomic: false,
    // One watch on the directory, none on its files.
    ignored: (path) => resolve(path) !== directory,
  })
  const ready = new Promise<void>((done) => watcher.once('ready', done))
  // chokidar's other events come milliseconds later, after a stat and a throttle of its own.
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
