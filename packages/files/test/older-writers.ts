import { execFile } from 'node:child_process'
import { rename, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Ways in which hosts of other versions replace an answer file. */
export const OLDER_WRITERS: [string, (path: string, text: string) => Promise<unknown>][] = [
  ['overwrites it in place', (path, text) => overwriteInPlace(path, text).catch(() => {})],
  ['renames another file to it', renameTo],
]

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
