import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { onExit } from 'signal-exit'
import { REQUEST_DESCRIPTOR } from '../isolation/launch-request.ts'
import { asUser, type Launch } from './launch.ts'
import type { ProcessEnd, SandboxProcess } from './process.ts'

/** How long a program may take to end after SIGTERM, in milliseconds. */
const FORCE_KILL_AFTER_MS = 5000

/** Starts a program that ends with this process. One that cannot be started is told of by `ended`. */
export async function spawnProgram(
  { command, args, env, request, user }: Launch,
  { cwd, signal }: { cwd?: string | undefined; signal?: AbortSignal | undefined },
): Promise<SandboxProcess> {
  const child = start(command, args, {
    cwd,
    env: { ...env },
    ...asUser(user),
    // Ctrl-C in a terminal goes to the whole group, and would end the sandbox before its program. `kill` tells the program.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(request === undefined ? [] : ['pipe' as const])],
  })
  if (child instanceof Error) return unstartedProcess(child)
  if (child.pid === undefined) return unstartedProcess((await once(child, 'error'))[0])
  // A program may end before it has read everything, and may belong to a user whom this process cannot kill. Its end says so.
  for (const emitter of [child, ...child.stdio]) emitter?.on('error', () => {})
  const gate = child.stdio[REQUEST_DESCRIPTOR] as Writable | undefined
  gate?.end(request)

  let timer: NodeJS.Timeout | undefined
  const kill = (): void => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    timer ??= setTimeout(() => child.kill('SIGKILL'), FORCE_KILL_AFTER_MS)
  }
  const forget = onExit(() => void child.kill())
  if (signal?.aborted) kill()
  signal?.addEventListener('abort', kill, { once: true })
  child.once('exit', () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
    forget()
  })
  return {
    pid: child.pid,
    stdin: child.stdin as Writable,
    // Node discards what comes before somebody reads its own streams, once the program has ended.
    stdout: (child.stdout as NodeJS.ReadableStream).pipe(new PassThrough()),
    stderr: (child.stderr as NodeJS.ReadableStream).pipe(new PassThrough()),
    ended: new Promise<ProcessEnd>((resolve) => {
      child.once('close', (exitCode, endedBy) => resolve({ exitCode, signal: endedBy }))
    }),
    kill,
  }
}

/** Node throws at once for arguments that it cannot pass on. */
function start(...call: Parameters<typeof spawn>): ReturnType<typeof spawn> | Error {
  try {
    return spawn(...call)
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

export const unstartedProcess = (error: Error): SandboxProcess => ({
  pid: undefined,
  stdin: new PassThrough().resume(),
  stdout: Readable.from([]),
  stderr: Readable.from([]),
  ended: Promise.resolve({ exitCode: null, signal: null, error }),
  kill() {},
})
