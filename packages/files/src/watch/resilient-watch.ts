import type { ChannelWarning, OnWarning } from '@sandagent/core'
import { warningOf } from '@sandagent/core/internal'
import { startChokidarWatch } from './chokidar-watch.ts'
import { directoryIdentity } from './file-stamp.ts'
import { startInotifyWatch } from './inotify-watch.ts'
import type { SystemWatch } from './system-watch.ts'

export interface ResilientWatch {
  /** Begins to watch a directory that appeared, and drops one that went away. Call it repeatedly. */
  refresh(): Promise<void>
  /** Why the system does not watch, if it refused. */
  warning(): ChannelWarning | null
  close(): void
}

/** On Linux `fs.watch` tells all that is needed. Elsewhere chokidar knows the differences. */
const startSystemWatch = process.platform === 'linux' ? startInotifyWatch : startChokidarWatch

/** A system watch that starts again when its directory is back. */
export function createResilientWatch(
  directory: string,
  { onChange, onWarning }: { onChange: (name: string | null) => void; onWarning: OnWarning },
): ResilientWatch {
  let watch: SystemWatch | null = null
  /** The directory being watched, or that the system refused to watch. */
  let identity: string | null = null
  let warning: ChannelWarning | null = null
  let closed = false

  const stop = async (): Promise<void> => {
    const stopped = watch
    watch = null
    identity = null
    warning = null
    await stopped?.close()
  }

  const start = (): SystemWatch => {
    const started = startSystemWatch(directory, {
      onChange,
      onGone() {
        // A new directory may get the old one's inode.
        if (watch === started) identity = null
      },
      onError(error) {
        if (watch !== started || warning) return
        warning = warningOf(error)
        onWarning(warning)
      },
    })
    // The watch missed what happened while it began.
    void started.ready.then(() => watch === started && onChange(null))
    return started
  }

  return {
    async refresh() {
      const found = await directoryIdentity(directory)
      // A watch that heard of its end has no identity any more.
      if (found === identity && (found !== null || watch === null)) return
      await stop()
      if (closed || found === null) return
      identity = found
      watch = start()
    },
    warning: () => warning,
    close() {
      closed = true
      void stop()
    },
  }
}
