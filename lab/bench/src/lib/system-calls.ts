import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How many system calls a process makes while `work` runs, by strace; `null` where they cannot be counted. */
export async function systemCallsDuring(pid: number, work: () => Promise<void>): Promise<number | null> {
  const strace = spawn('strace', ['-f', '-c', '-U', 'calls,name', '-p', `${pid}`])
  const ended = once(strace, 'close').catch(() => {}) // It is not installed.
  let text = ''
  const attached = new Promise<void>((resolve) => {
    strace.stderr.on('data', (piece) => {
      text += piece
      if (text.includes(' attached')) resolve()
    })
  })
  await Promise.race([attached, ended])
  if (!text.includes(' attached')) return null
  await work()
  strace.kill('SIGINT')
  await ended
  const [, calls] = /(\d+) total$/m.exec(text) ?? []
  return calls === undefined ? null : Number(calls)
}
