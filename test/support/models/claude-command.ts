import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { root } from '../../../scripts/run.mjs'
import type { ClaudeWorkspace } from './claude-workspace.ts'

export type CommandRun = ReturnType<typeof sandagent>

/** Starts `sandagent run --agent claude` in a process group of its own. */
export function sandagent({ sandbox }: ClaudeWorkspace, ...args: string[]) {
  const main = join(root, 'packages/cli/dist/main.js')
  const options = ['--agent', 'claude', '--model', 'claude-sonnet-4-5', '--workdir', sandbox.workdir]
  const child = spawn(process.execPath, [main, 'run', ...options, ...args], { detached: true })
  onTestFinished(() => killGroup(child))
  const ended = Promise.all([once(child, 'close'), textOf(child.stdout), textOf(child.stderr)]).then(
    ([[exitCode, signal], stdout, stderr]) => ({ exitCode, signal, stdout, stderr }),
  )
  /** Kills it with all its processes. */
  const kill = (): void => killGroup(child)
  return { child, ended, kill }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), 'SIGKILL')
  } catch {
    // It has ended.
  }
}

export const sessionIn = (stream: string): string => /"sessionId":"([^"]+)"/.exec(stream)?.[1] as string
