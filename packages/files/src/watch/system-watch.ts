/** What a system watch reports. */
export interface SystemWatchEvents {
  /** An entry of this name changed, or without a name, any entry. */
  onChange: (name: string | null) => void
  /** The directory went away, and the watch ended. */
  onGone: () => void
  /** The system refuses to watch, such as `ENOSPC` and `EMFILE` when its limits are reached. */
  onError: (error: unknown) => void
}

export interface SystemWatch {
  /** Resolves once every further change is reported. */
  ready: Promise<void>
  close(): Promise<void>
}

/** Watches the entries of one existing directory, not what is below them. */
export type StartSystemWatch = (directory: string, events: SystemWatchEvents) => SystemWatch
