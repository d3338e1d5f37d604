/**
 * Keeps calls and decisions across restarts: `createLocalFiles(folder)` of `@sandagent/files`, or any store of texts by
 * path. Paths are relative, with `/`. Only one process at a time may use a folder.
 */
export interface UserChoiceStorage {
  /** `null` when the file is missing. */
  read(path: string): Promise<string | null>
  /** Replaces the whole file durably, and makes its folders. */
  writeAtomic(path: string, text: string): Promise<void>
  /** The names in a folder. Empty when the folder is missing. */
  list(folder: string): Promise<string[]>
  /** Removes a file or a folder, if it exists. */
  remove(path: string): Promise<void>
}
