/** How many names a list of local files has at most: an agent can make millions of files. */
export const MOST_NAMES = 250_000

/** The files of a sandbox, here or on another machine. Paths are relative to the workdir, with `/` between names. */
export interface SandboxFiles {
  /**
   * Names the place of the files: the same for all objects of one sandbox, another one for each other sandbox. Writers of
   * one process with the same `id` write one after the other. Default: not shared.
   */
  readonly id?: string | undefined
  /**
   * The text of a file, `null` only when it is missing. Bytes that are no UTF-8 become replacement characters.
   *
   * @throws AskError `UNSAFE_PATH` when it is no regular file or not inside, `TOO_LARGE` beyond 1 MiB, `UNREACHABLE`
   *   when the workdir is missing; or the system's error.
   */
  read(path: string): Promise<string | null>
  /**
   * Replaces a file as a whole and durably, and makes its folders.
   *
   * @param options.exclusive only creates: one of several writers succeeds, also across processes
   * @param options.revision the name of a sibling that is created before, exclusively, as a whole and with the same text: of
   *   several writers in any processes, one succeeds
   * @param options.claim the same, after `revision`. The text is final then: nobody may write to the file any more, and the
   *   sibling `revision` may be removed in the end
   * @param options.reader the path of a file whose user must be able to read the new one
   * @throws AskError `UNSAFE_PATH`; `CONFLICT` when `exclusive` and the file exists, or when a sibling exists; `WRONG_USER`
   *   when the reader could not read it.
   */
  writeAtomic(path: string, text: string, options?: WriteOptions): Promise<void>
  /**
   * Writes bytes into a file at an offset, durably, and makes the file and its folders. The same call may come again. Sandboxes
   * without this, or without `rename`, take no files of people.
   *
   * @param options.reader as for `writeAtomic`
   * @throws AskError `UNSAFE_PATH` when it is no regular file or not inside; `WRONG_USER`.
   */
  writeAt?(
    path: string,
    bytes: Uint8Array,
    offset: number,
    options?: Pick<WriteOptions, 'reader'>,
  ): Promise<void>
  /** Gives a file another name in its folder, durably, and replaces what is there. The same call may come again. */
  rename?(path: string, name: string): Promise<void>
  /** Removes a file, if it exists. Sandboxes without this keep the claims of drafts until they are swept. */
  remove?(path: string): Promise<void>
  /**
   * Returns once the names in a folder survive a power cut, also those of other writers. Folders of sandboxes without this
   * survive it anyway. A missing folder is no error.
   */
  sync?(directory: string): Promise<void>
  /**
   * The names in a folder, also those that begin with a dot; `.` is the workdir. No names when the folder is missing. Not
   * all of very many. Temporary files may be among them: they are ignored.
   *
   * @throws AskError `UNREACHABLE` when the workdir is missing; or the system's error.
   */
  list(directory: string): Promise<string[]>
  /**
   * The names as `list` gives them, each with a stamp that changes with the file. Only saves reading files again. A sandbox
   * that has this lists all names of a folder with less than 250,000.
   */
  stamps?(directory: string): Promise<ReadonlyMap<string, string>>
  /**
   * Removes entries of a folder that were not changed for a long time, if `mayGo` says so. Folders of sandboxes without this
   * are not swept.
   */
  removeOld?(directory: string, options: RemoveOldOptions): Promise<void>
  /**
   * Names a folder so that its copy has another name; `undefined` for a missing folder, and where nobody can tell. Hosts
   * compare it with the `place` of a record.
   */
  place?(directory: string): Promise<string | undefined>
  /** Reports changes in a folder, by name or `null` for any, until the returned function is called. It may miss changes. */
  watch?(directory: string, onChange: (name: string | null) => void): () => void
}

export interface WriteOptions {
  /** Only creates: one of several writers, in all processes, succeeds. */
  exclusive?: boolean | undefined
  /**
   * The name of a sibling that is created first, with the same text. Of several writers one creates it, and only that
   * one replaces the file. After a crash in between, only the sibling exists: readers look there, too.
   */
  revision?: string | undefined
  /**
   * The same, after `revision`. The text is final then: nobody may write to the file, and the sibling `revision` is removed
   * in the end.
   */
  claim?: string | undefined
  /**
   * The path of a file whose user must be able to read the new one, relative to the workdir. If it is missing, the user of the
   * file that is replaced. Files elsewhere may do without it. Default: the file is for its writer alone.
   */
  reader?: string | undefined
}

export interface RemoveOldOptions {
  /** How long before the latest change in the folder an entry was changed for the last time, in milliseconds. */
  olderThanMs: number
  /** Milliseconds since 1970. Times in the future do not count. */
  now: number
  /** In a folder of many entries, some are looked at first. All are, if one of these goes. Default: all are looked at. */
  isFirstLook?: boolean | undefined
  /** Decides about an old entry. It is asked about entries that begin with a dot first, then about the others. */
  mayGo: (name: string) => Promise<boolean>
}

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
   * Removes a file or folder, if it exists. A folder stays if somebody writes into it meanwhile. Links are removed, not
   * followed.
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
