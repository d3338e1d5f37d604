import { basename, resolve } from 'node:path'
import type { StartSystemWatch } from './system-watch.ts'

/** Watches by chokidar, on every system. It is loaded only here, because Linux does without. */
export const startChokidarWatch: StartSystemWatch = async (directory, { onChange, onGone, onError }) => {
  const { FSWatcher } = await import('chokidar')
  /** Uses only chokidar's event `raw`. For other events chokidar reads the directory and every file at each change. */
  class RawWatcher extends FSWatcher {
    override _throttle(): false {
      return false
    }
  }
  const watcher = new RawWatcher({
    ignoreInitial: true,
    depth: 0,
    atomic: false,
    // Watches the directory, but not its files.
    ignored: (path) => resolve(path) !== directory,
  }).add(directory)
  watcher.on('raw', (event, name: string | null) => {
    onChange(name)
    if (event === 'rename' && name === basename(directory)) onGone()
  })
  watcher.on('error', onError)
  // chokidar forgets the handle that it is just opening when it is closed before it is ready.
  await new Promise<void>((done) => watcher.once('ready', done))
  return { close: () => watcher.close() }
}
