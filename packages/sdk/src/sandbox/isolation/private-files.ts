import { lstatSync, readdirSync } from 'node:fs'

/** Permissions of others: to read a file, and to read and enter a folder. */
const READ = 0o004
const READ_AND_ENTER = 0o005

/** The files and folders below a folder that are not public: programs of root could read them. Leaves out `left`. */
export function privateFiles(folder: string, left: readonly string[] = []): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = `${folder}/${name}` // `join` takes as long as the system's calls.
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats || left.includes(path)) return []
    if (stats.isFile()) return stats.mode & READ ? [] : [path]
    if (!stats.isDirectory()) return []
    return (stats.mode & READ_AND_ENTER) === READ_AND_ENTER ? privateFiles(path, left) : [path]
  })
}
