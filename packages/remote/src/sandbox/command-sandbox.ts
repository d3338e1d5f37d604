import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { invalid } from '@sandagent/core/internal'
import { SIGNING_KEY_VARIABLE } from '@sandagent/sdk/internal'
import type { Connect, Connection } from '../connection/connection.ts'
import { createComplaint } from '../transport/complaint.ts'
import { quoted } from '../transport/shell-words.ts'
import { RemoteSandbox, type RemoteSandboxOptions } from './remote-sandbox.ts'

export interface CommandSandboxOptions extends Omit<RemoteSandboxOptions, 'connect' | 'name'> {
  /** Default: the command, which names the sandbox. */
  name?: string | undefined
  /**
   * Whether the command gives its arguments to a shell, as `ssh` does. They are quoted then. Default: whether its program is
   * `ssh`.
   */
  shell?: boolean | undefined
}

/** The exit code of shells for a program that does not exist. */
const NO_PROGRAM = 127

/** How long a command may take to end when it is no longer needed, in milliseconds. */
const GRACE_MS = 2000

/**
 * A sandbox that a command reaches, such as `['ssh', 'host']` or `['docker', 'exec', '-i', 'box']`. The command gets the
 * program to start there as its last arguments.
 *
 * @throws AskError `INVALID_REQUEST` for a command that is no list of words
 */
export function commandSandbox(
  command: readonly [string, ...string[]],
  { shell, name = JSON.stringify(command), ...options }: CommandSandboxOptions,
): RemoteSandbox {
  if (!Array.isArray(command) || command.length === 0)
    throw invalid('INVALID_REQUEST', 'commandSandbox', [
      { path: '', expected: 'a list of words first, such as ["ssh", "host"]' },
    ])
  const [program, ...before] = command
  const isQuoted = shell ?? /^ssh(\.exe)?$/i.test(basename(program))
  const connect: Connect = (argv) => start(program, [...before, ...(isQuoted ? argv.map(quoted) : argv)])
  return new RemoteSandbox({ ...options, name, connect })
}

function start(program: string, args: string[]): Connection {
  const env = { ...process.env, [SIGNING_KEY_VARIABLE]: undefined }
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  for (const part of [child, child.stdin, child.stdout, child.stderr])
    (part as { unref?: () => void }).unref?.() // An idle connection does not keep this process running.
  const { add, addedTo } = createComplaint()
  child.stderr.setEncoding('utf8').on('data', add)
  // It only carries complaints. `closed` tells that the program is gone.
  child.stderr.on('error', () => {})
  const closed = new Promise<string>((resolve) => {
    child.once('error', (error) =>
      resolve(`${program} cannot be started: ${error.message}. Install it, or correct the command`),
    )
    child.once('close', (code, signal) => {
      const advice = code === NO_PROGRAM ? '. Node.js 20 or newer must be on the PATH of the sandbox' : ''
      resolve(`${addedTo(`${program} ended with ${code ?? signal}`)}${advice}`)
    })
  })
  return { stdin: child.stdin, stdout: child.stdout, closed, end: () => end(child) }
}

/** The relay ends with its input. A command whose network is gone has to be killed. */
function end(child: { stdin: Writable; stdout: Readable; kill(signal: NodeJS.Signals): boolean }): void {
  child.stdin.end()
  child.stdout.destroy()
  setTimeout(() => child.kill('SIGTERM'), GRACE_MS).unref()
  setTimeout(() => child.kill('SIGKILL'), 2 * GRACE_MS).unref()
}
