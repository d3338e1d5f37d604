import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Writer } from '../lib/writer.ts'
import { peerFolder } from './peers.ts'

/** SandAgent's own runner, which waits for an answer. */
export interface RunnerCli {
  /** Answers its next question after `thinkMs`. Resolves to nanoseconds from the rename until it had the answer. */
  answer(writer: Writer, thinkMs: number): Promise<bigint>
  end(): void
}

/** @returns `null` if it is not installed */
export function startRunnerCli(workdir: string): RunnerCli | null {
  const folder = peerFolder('@sandagent/runner-cli')
  if (folder === null) return null
  mkdirSync(workdir)
  const child = fork(join(folder, 'dist/bundle.mjs'), ['run', '--cwd', workdir, '--', 'Build something'], {
    cwd: workdir,
    execArgv: ['--import', fileURLToPath(new URL('played-model.js', import.meta.url))],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env.PATH, HOME: workdir, ANTHROPIC_API_KEY: 'none' },
  })
  let answered = 0
  return {
    async answer(writer, thinkMs) {
      const path = join(workdir, `.sandagent/approvals/cli-${answered++}.json`)
      while (!existsSync(path)) await sleep(1)
      await sleep(thinkMs)
      const resolved = once(child, 'message') as Promise<[string]>
      const text = JSON.stringify({ status: 'completed', answers: { 'Which language?': 'Python' } })
      const renamedAt = await writer.write({ path, text })
      return BigInt((await resolved)[0]) - renamedAt
    },
    end: () => void child.kill('SIGKILL'),
  }
}
