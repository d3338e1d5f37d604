/** One start of a run. Each has a log of its own. */
export interface RunStart {
  runId: string
  /** 1 for the first start. */
  attempt: number
}

/** A part of a log: the bytes of its UI message stream from an offset on. */
export interface LogPiece {
  offset: number
  bytes: Uint8Array
  /** In the last piece of a log: what became of the run, as `Run.state`. */
  ended?: string
}

/** The logs of a fleet's runs, so that any host streams any run. The host that has a run's sandbox copies its log. */
export interface RunLogs {
  /** Aborts when the fleet is closed. Nobody copies a log to it any more. */
  readonly closed: AbortSignal
  /** The last start of a run that has a log here; `null` if none has. */
  lastAttempt(runId: string): Promise<number | null>
  /** The last piece of a log: a copy goes on behind it. `null`: there is none. */
  last(log: RunStart): Promise<LogPiece | null>
  /** The end of a log: its last bytes, from the beginning of a piece. All of it if there are less. */
  tail(log: RunStart, bytes: number): Promise<Uint8Array>
  /** Stores a piece of up to 512 KiB. @returns `false` if it does not begin where the last one ends: another host was first */
  append(log: RunStart, piece: LogPiece): Promise<boolean>
  /**
   * The pieces from the beginning. With `follow` also each new one, to the last one, until a later start of the run has a log,
   * or until the signal aborts.
   */
  pieces(log: RunStart, options: { follow: boolean; signal: AbortSignal }): AsyncIterable<LogPiece>
}

/** Where a piece ends, and the next one begins. */
export const endOf = (piece: LogPiece | null): number => (piece ? piece.offset + piece.bytes.length : 0)
