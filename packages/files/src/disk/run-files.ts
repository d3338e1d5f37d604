import type { SandboxFiles } from './sandbox-files.ts'

/** The files of a sandbox with runs: small files, and logs that grow. */
export interface RunFiles extends SandboxFiles {
  /** `null` for a missing file. Follows no link. Callers ask for files only: for a folder, any numbers do. */
  stat(path: string): Promise<FileStat | null>
  /**
   * Up to 1 MiB of a file from `offset` on, in bytes; empty at the end of the file, `null` when it is missing.
   *
   * @param most how many bytes the caller has a use for; more are no harm
   * @throws AskError `UNSAFE_PATH` when it is no regular file or not inside.
   */
  readFrom(path: string, offset: number, most?: number): Promise<Uint8Array | null>
  /**
   * Removes a file or folder, if it exists. A folder stays if somebody writes into it meanwhile. Links are removed, not followed.
   *
   * @throws AskError `UNSAFE_PATH`
   */
  remove(path: string): Promise<void>
}

export interface FileStat {
  /** In bytes. */
  size: number
  /** Milliseconds since 1970. */
  modifiedAt: number
}
