import type { ChannelWarning, OnWarning } from '@sandagent/core'
import { warningOf } from '@sandagent/core/internal'
import { startChokidarWatch } from './chokidar-watch.ts'
import { type SystemWatch, startInotifyWatch } from './system-watch.ts'

export interface ResilientWatch {
  /** Begins to watch the directory if it has another identity than before, or none. Call it repeatedly. */
  refresh(identity: string | null): void
  /** Why the system does not watch, if it refused. */
  warning(): ChannelWarning | null
  /** Watches on without keeping the process running, until `resume`. `false`: there is no watch that could do so. */
  pause(): boolean
  resume(): void
  close(): void
}

/** On Linux `fs.watch` tells all that is needed. Elsewhere chokidar knows the differences. */
const startSystemWatch = process.platform === 'linux' ? startInotifyWatch : startChokidarWatch

interface Watched {
  /** `null` once the directory is gone. A new one may get the old one's inode. */
  identity: string | null
  start: Promise<SystemWatch>
  /** What `start` resolved to. */
  running?: SystemWatch
  warning: ChannelWarning | null
}

/** A system watch that starts again when its directory is back. */
export function createResilientWatch(
  directory: string,
  { onChange, onWarning }: { onChange: (name: string | null) => void; onWarning: OnWarning },
): ResilientWatch {
  let watched: Watched | null = null
  let isClosed = false
  let isPaused = false

  const stop = (): void => {
    watched?.start.then(
      (running) => running.close(),
      () => {}, // The system had refused to watch.
    )
    watched = null
  }

  const watch = (identity: string): Watched => {
    const onError = (error: unknown): void => {
      if (watched !== started || started.warning) return
      started.warning = warningOf(error)
      onWarning(started.warning)
    }
    const onGone = (): void => {
      started.identity = null
    }
    const start = startSystemWatch(directory, { onChange, onGone, onError })
    const started: Watched = { identity, start, warning: null }
    start.then((running) => {
      started.running = running
      // The watch missed what happened while it began.
      if (watched === started) onChange(null)
    }, onError)
    return started
  }

  return {
    refresh(identity) {
      if (isClosed || isPaused || (identity !== null && watched?.identity === identity)) return
      stop()
      if (identity !== null) watched = watch(identity)
    },
    warning: () => watched?.warning ?? null,
    pause() {
      if (!watched?.running?.unref || watched.identity === null || watched.warning) return false
      watched.running.unref()
      isPaused = true
      return true
    },
    resume() {
      watched?.running?.ref?.()
      isPaused = false
    },
    close() {
      isClosed = true
      stop()
    },
  }
}
