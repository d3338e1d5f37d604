import { randomUUID } from 'node:crypto'

/**
 * Runs inside the sandbox: starts a program and feeds it with numbered files, for vendors whose programs have no standard
 * input. A file is complete when it has as many bytes as its first line says. The output is JSON, whose other characters are
 * escaped: a vendor's log may break them.
 */
const FEEDER = `
const fs = require('node:fs'), path = require('node:path')
const [, folder, command, ...args] = process.argv
fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
const child = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const leave = (code) => { fs.rmSync(folder, { recursive: true, force: true }); process.exitCode = code; clearInterval(timer); watch?.close() }
child.on('error', (error) => { console.error(error.message); leave(127) })
child.on('close', (code) => leave(code ?? 1))
child.stdin.on('error', () => {})
const escaped = (character) => '\\\\u' + character.charCodeAt(0).toString(16).padStart(4, '0')
child.stdout.setEncoding('utf8').on('data', (text) => process.stdout.write(text.replace(/[^\\x00-\\x7f]/g, escaped)))
let next = 0
const look = () => {
  if (fs.existsSync(path.join(folder, 'end'))) return child.stdin.end()
  for (;;) {
    let bytes
    try { bytes = fs.readFileSync(path.join(folder, String(next))) } catch { return }
    const head = bytes.indexOf(10)
    const length = Number(bytes.subarray(0, head))
    if (head < 0 || bytes.length < head + 1 + length) return
    child.stdin.write(bytes.subarray(head + 1))
    fs.rmSync(path.join(folder, String(next++)))
  }
}
// Watches can be used up. The timer is enough then.
let watch
try { watch = fs.watch(folder, look).on('error', () => {}) } catch {}
const timer = setInterval(look, 200)
`

export interface FileTransport {
  /** The command that runs the program, and feeds it. */
  argv: [string, ...string[]]
  send(bytes: Buffer): Promise<unknown>
  /** The program finds the end of its input. */
  end(): Promise<unknown>
}

/**
 * Sends the standard input of a program in numbered files.
 *
 * @param writeFile writes a file by its absolute path inside the sandbox, and makes its folder
 */
export function fileTransport(
  argv: readonly string[],
  { node = 'node', writeFile }: { node?: string | undefined; writeFile: WriteFile },
): FileTransport {
  const folder = `/tmp/sandagent-${randomUUID()}`
  let next = 0
  return {
    argv: [node, '-e', FEEDER, folder, ...argv],
    send: (bytes) =>
      writeFile(`${folder}/${next++}`, Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])),
    // It has no number: a file before it may have been lost.
    end: () => writeFile(`${folder}/end`, Buffer.from('end')),
  }
}

type WriteFile = (path: string, bytes: Buffer) => Promise<unknown>
