import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { SandboxManager } from '@anthropic-ai/sandbox-runtime'
import type { LaunchRequest } from '../launch-request.ts'
import { policyOf } from '../policy.ts'
import { copyOutput, outputFor } from './copy-output.ts'
import { innerScript, READ_SCRIPT, SCRIPT_DESCRIPTOR, SIGNALS_DESCRIPTOR } from './inner-script.ts'
import { withOwnKernelView } from './own-kernel-view.ts'

/**
 * Makes a sandbox and runs a program in it. Whatever the program leaves behind ends with it.
 *
 * @param onStarted gets a function that passes a signal to the program, by its name without `SIG`
 * @returns the program's exit code, or 128 plus the number of the signal that ended it, as in shells
 */
export async function runInside(
  request: LaunchRequest,
  onStarted: (handOn: (signal: string) => void) => void,
): Promise<number> {
  // The runtime denies many names in the current directory. Here none of these names exists, and no workdir is affected.
  process.chdir('/dev')
  const temporary = temporaryFolder()
  try {
    // Without hosts there is no proxy, and no network at all.
    if (request.hosts.length > 0) await SandboxManager.initialize(policyOf(request, temporary.path))
    const readable = [...request.readable, ...proxySockets()]
    const policy = policyOf({ ...request, readable }, temporary.path)
    const wrapped = await SandboxManager.wrapWithSandbox(READ_SCRIPT, 'sh', policy)
    const program = spawn('sh', ['-c', `exec ${withOwnKernelView(wrapped)}`], {
      stdio: ['inherit', outputFor(1), outputFor(2), 'pipe', 'pipe'],
    })
    const copied = Promise.all([copyOutput(program.stdout, 1), copyOutput(program.stderr, 2)])
    const env = { ...request.env, TMPDIR: temporary.path ?? '/tmp', ...reachedDirectly(request.hosts) }
    tell(program, SCRIPT_DESCRIPTOR).end(innerScript({ ...request, env }))
    const lines = tell(program, SIGNALS_DESCRIPTOR)
    onStarted((signal) => void lines.write(`${signal}\n`))
    const exitCode = await exitCodeOf(program)
    await copied
    return exitCode
  } finally {
    try {
      if (request.hosts.length > 0) await SandboxManager.reset()
    } finally {
      temporary.remove()
    }
  }
}

/** The sockets of the proxy on Linux. They are in a folder that is hidden. */
const proxySockets = (): string[] =>
  [SandboxManager.getLinuxHttpSocketPath(), SandboxManager.getLinuxSocksSocketPath()].filter(
    (path) => path !== undefined,
  )

/** The runtime does not use its proxy for loopback. An allowed host on loopback is the host's own, behind the proxy. */
const reachedDirectly = (hosts: readonly string[]): Record<string, string> =>
  hosts.some((host) => /^(localhost|127\.|\[::1\])/.test(host)) ? { NO_PROXY: '', no_proxy: '' } : {}

/** A stream to the program, which may end before it has read everything. */
function tell(program: ChildProcess, descriptor: number): Writable {
  const stream = program.stdio[descriptor] as Writable
  return stream.on('error', () => {})
}

const exitCodeOf = (program: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    program.once('error', reject)
    program.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]))
  })

/**
 * A private folder for temporary files on macOS, because Seatbelt can only open an existing folder. Linux makes an empty
 * `/tmp` inside, which disappears later.
 */
export function temporaryFolder(): { path: string | undefined; remove(): void } {
  if (process.platform !== 'darwin') return { path: undefined, remove() {} }
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'sandagent-')))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
