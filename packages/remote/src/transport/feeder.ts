/**
 * A program of its own, which `scripts/bundle.mjs` puts into one file: `feeder()` gives its text. It runs inside the sandbox:
 * starts a program and feeds it with numbered files, for places whose programs have no standard input. A file is complete when
 * it has as many bytes as its first line says. The same line has the number of replies that the host has read.
 *
 * Its first argument is the folder. Its second one says where replies go: `log` is its own output, which is JSON whose other
 * characters are escaped, because a log may break them. `files` are numbered files again, with the same first line. The last
 * one has the word `end` and no content. They are removed when the host has read them.
 */
import { spawn } from 'node:child_process'
import {
  existsSync,
  type FSWatcher,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** The most bytes of output that one file of replies has. */
const PIECE_BYTES = 1024 * 1024

/** How long output waits for more, so that one file has both, in milliseconds. */
const TOGETHER_MS = 5

/** How often the folder is looked at, in milliseconds: watches can be used up. */
const LOOK_MS = 200

/** How long the last reply waits for its reader, in milliseconds. */
const LAST_MS = 60_000

const [, folder = '', replies = '', command = '', ...args] = process.argv
const place = (name: string | number): string => join(folder, String(name))
const hasEnded = (): boolean => existsSync(place('end'))

let waiting: Buffer[] = []
let written = 0
let removed = 0
let next = 0
let isOver = false
let watcher: FSWatcher | undefined
let last: NodeJS.Timeout | undefined

mkdirSync(folder, { recursive: true, mode: 0o700 })
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
child.on('error', ({ message }) => {
  console.error(message)
  end(127)
})
child.on('close', (code) => end(code ?? 1))
child.stdin.on('error', () => {}) // It reads no more. Its exit code tells why.
if (replies === 'log')
  child.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => void process.stdout.write(text.replace(/[\u0080-\uffff]/g, escaped)))
else
  child.stdout.on('data', (bytes: Buffer) => {
    if (waiting.push(bytes) === 1) setTimeout(() => waiting.length > 0 && writeWaiting(), TOGETHER_MS)
  })
try {
  watcher = watch(folder, look).on('error', () => {})
} catch {
  // The timer is enough.
}
const timer = setInterval(look, LOOK_MS)

function end(code: number): void {
  process.exitCode = code
  isOver = true
  if (replies === 'log' || hasEnded()) leave()
  else {
    writeWaiting()
    writeReply('end', Buffer.alloc(0))
    last = setTimeout(leave, LAST_MS)
  }
}

function leave(): void {
  waiting = []
  rmSync(folder, { recursive: true, force: true })
  clearInterval(timer)
  clearTimeout(last)
  watcher?.close()
}

function writeReply(word: string | number, bytes: Buffer): void {
  const aside = place('reply')
  writeFileSync(aside, Buffer.concat([Buffer.from(`${word}\n`), bytes]))
  renameSync(aside, place(`reply-${written++}`))
}

function writeWaiting(): void {
  const all = Buffer.concat(waiting)
  waiting = []
  for (let from = 0; from < all.length; from += PIECE_BYTES) {
    const piece = all.subarray(from, from + PIECE_BYTES)
    writeReply(piece.length, piece)
  }
}

function look(): void {
  if (hasEnded()) {
    if (isOver) leave()
    else child.stdin.end()
    return
  }
  for (let bytes = inputFile(); bytes; bytes = inputFile()) {
    const head = bytes.indexOf('\n')
    const [length = 0, read = 0] = bytes.subarray(0, head).toString().split(' ').map(Number)
    if (head < 0 || bytes.length < head + 1 + length) return
    for (; removed < read; removed++) rmSync(place(`reply-${removed}`), { force: true })
    child.stdin.write(bytes.subarray(head + 1))
    rmSync(place(next++))
  }
}

/** The next file of the input. */
function inputFile(): Buffer | null {
  try {
    return readFileSync(place(next))
  } catch {
    return null // It is not there yet.
  }
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
