import { execFile } from 'node:child_process'
import { rename, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'

/** Ways in which hosts of other versions replace an answer file. */
export const OLDER_WRITERS: [string, (path: string, text: string) => Promise<unknown>][] = [
  ['would overwrite it in place', cannotOverwrite],
  ['renames another file to it', renameTo],
]

/** The system itself refuses this. Where it does not, the test fails. */
async function cannotOverwrite(path: string, text: string): Promise<void> {
  await expect(overwriteInPlace(path, text)).rejects.toThrow('EACCES')
}

/** Overwrites a file as a program does whose user owns it. Root may write to every file, and so gives that up. */
async function overwriteInPlace(path: string, text: string): Promise<void> {
  if (process.getuid?.() !== 0) return writeFile(path, text)
  const write = 'require("node:fs").writeFileSync(process.argv[1], process.argv[2])'
  const node = [process.execPath, '-e', write, path, text]
  await promisify(execFile)('setpriv', ['--inh-caps=-all', '--bounding-set=-all', ...node])
}

async function renameTo(path: string, text: string): Promise<void> {
  await writeFile(`${path}.other`, text)
  await rename(`${path}.other`, path)
}
