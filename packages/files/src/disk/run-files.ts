import type { SandboxFiles } from './sandbox-files.ts'

/** The files of a sandbox with runs: small files, and logs that grow. */
export interface RunFiles extends SandboxFiles {
  /** `null` for a missing file. */
  stat(path: string): Promise<FileStat | null>
  /**
   * A piece of a file from `offset` on, in bytes: up to 1 MiB, nothing at the end of the file. `null` when it is
   * missing.
   *
   * @throws AskError `UNSAFE_PATH` when it is no regular file or not inside.
   */
  readFrom(path: string, offset: number): Promise<Uint8Array | null>
  /**
   * Removes a file, or a folder with all that is in it. Links are removed, not followed; what is missing is fine.
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
