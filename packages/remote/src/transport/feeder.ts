/**
 * Runs inside the sandbox: starts a program and feeds it with numbered files, for places whose programs have no standard input.
 * A file is complete when it has as many bytes as its first line says. The same line has the number of replies that the host
 * has read.
 *
 * Its first argument is the folder. Its second one says where replies go: `log` is its own output, which is JSON whose other
 * characters are escaped, because a log may break them. `files` are numbered files again, with the same first line. The last
 * one has the word `end` and no content. They are removed when the host has read them.
 *
 * Its text is sent, so it uses nothing from outside of itself.
 */
function feed(require: NodeJS.Require): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const path = require('node:path') as typeof import('node:path')
  const { spawn } = require('node:child_process') as typeof import('node:child_process')
  const [, folder = '', replies, command = '', ...args] = process.argv
  const place = (name: string | number): string => path.join(folder, String(name))
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = (): boolean => fs.existsSync(place('end'))

  let written = 0
  let waiting: Buffer[] = []
  const write = (word: string | number, bytes: Uint8Array): void => {
    const aside = place('reply')
    fs.writeFileSync(aside, Buffer.concat([Buffer.from(`${word}\n`), bytes]))
    fs.renameSync(aside, place(`reply-${written++}`))
  }
  const put = (): void => {
    const all = Buffer.concat(waiting)
    waiting = []
    for (let from = 0; from < all.length; from += 1_048_576) {
      const piece = all.subarray(from, from + 1_048_576)
      write(piece.length, piece)
    }
  }

  let last: NodeJS.Timeout | undefined
  let isOver = false
  const leave = (): void => {
    waiting = []
    fs.rmSync(folder, { recursive: true, force: true })
    clearInterval(timer)
    clearTimeout(last)
    watch?.close()
  }
  const over = (code: number): void => {
    process.exitCode = code
    isOver = true
    if (replies === 'log' || ended()) leave()
    else {
      put()
      write('end', Buffer.alloc(0))
      last = setTimeout(leave, 60_000)
    }
  }
  child.on('error', (error) => {
    console.error(error.message)
    over(127)
  })
  child.on('close', (code) => over(code ?? 1))
  child.stdin.on('error', () => {})

  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  if (replies === 'log')
    child.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => process.stdout.write(text.replace(/[\u0080-\uffff]/g, escaped)))
  else
    child.stdout.on('data', (bytes: Buffer) => {
      if (waiting.push(bytes) === 1) setTimeout(() => waiting.length > 0 && put(), 5)
    })

  let next = 0
  let removed = 0
  const takeAll = (): void => {
    for (;;) {
      let bytes: Buffer
      try {
        bytes = fs.readFileSync(place(next))
      } catch {
        return // The next file is not there yet.
      }
      const head = bytes.indexOf(10)
      const [length = 0, read = 0] = bytes.subarray(0, head).toString().split(' ').map(Number)
      if (head < 0 || bytes.length < head + 1 + length) return
      for (; removed < read; removed++) fs.rmSync(place(`reply-${removed}`), { force: true })
      child.stdin.write(bytes.subarray(head + 1))
      fs.rmSync(place(next++))
    }
  }
  const look = (): void => {
    if (!ended()) takeAll()
    else if (isOver) leave()
    else child.stdin.end()
  }
  let watch: import('node:fs').FSWatcher | undefined
  try {
    watch = fs.watch(folder, look).on('error', () => {})
  } catch {} // Watches can be used up. The timer is enough then.
  const timer = setInterval(look, 200)
}

/** The program, for `node -e`. */
export const FEEDER: string = `(${feed})(require)`
