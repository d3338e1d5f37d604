/**
 * Runs inside the sandbox: starts a program and feeds it with numbered files, for places whose programs have no standard input.
 * A file is complete when it has as many bytes as its first line says. The same line has the number of replies that the host
 * has read.
 *
 * Its first argument is the folder. Its second one says where replies go: `log` is its own output, which is JSON whose other
 * characters are escaped, because a log may break them. `files` are numbered files again, with the same first line. The last
 * one has the word `end` and no content. They are removed when the host has read them.
 */
export const FEEDER = `
const fs = require('node:fs'), path = require('node:path')
const [, folder, replies, command, ...args] = process.argv
const place = (name) => path.join(folder, String(name))
fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
const child = require('node:child_process').spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const ended = () => fs.existsSync(place('end'))
const leave = () => { waiting = []; fs.rmSync(folder, { recursive: true, force: true }); clearInterval(timer); clearTimeout(last); watch?.close() }
let last, isOver = false
const over = (code) => {
  process.exitCode = code
  isOver = true
  if (replies === 'log' || ended()) return leave()
  put()
  write('end', Buffer.alloc(0))
  last = setTimeout(leave, 60000)
}
child.on('error', (error) => { console.error(error.message); over(127) })
child.on('close', (code) => over(code ?? 1))
child.stdin.on('error', () => {})
let written = 0, removed = 0, waiting = []
const write = (word, bytes) => {
  const aside = place('reply')
  fs.writeFileSync(aside, Buffer.concat([Buffer.from(word + '\\n'), bytes]))
  fs.renameSync(aside, place('reply-' + written++))
}
const put = () => {
  const all = Buffer.concat(waiting)
  waiting = []
  for (let from = 0; from < all.length; from += 1048576) {
    const piece = all.subarray(from, from + 1048576)
    write(piece.length, piece)
  }
}
const escaped = (character) => '\\\\u' + character.charCodeAt(0).toString(16).padStart(4, '0')
if (replies === 'log')
  child.stdout.setEncoding('utf8').on('data', (text) => process.stdout.write(text.replace(/[^\\x00-\\x7f]/g, escaped)))
else child.stdout.on('data', (bytes) => { if (waiting.push(bytes) === 1) setTimeout(() => waiting.length && put(), 5) })
let next = 0
const look = () => {
  if (ended()) return isOver ? leave() : child.stdin.end()
  for (;;) {
    let bytes
    try { bytes = fs.readFileSync(place(next)) } catch { return }
    const head = bytes.indexOf(10)
    const [length, read] = bytes.subarray(0, head).toString().split(' ').map(Number)
    if (head < 0 || bytes.length < head + 1 + length) return
    for (; removed < read; removed++) fs.rmSync(place('reply-' + removed), { force: true })
    child.stdin.write(bytes.subarray(head + 1))
    fs.rmSync(place(next++))
  }
}
// Watches can be used up. The timer is enough then.
let watch
try { watch = fs.watch(folder, look).on('error', () => {}) } catch {}
const timer = setInterval(look, 200)
`
