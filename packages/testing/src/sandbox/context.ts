import assert from 'node:assert/strict'
import { constants } from 'node:os'
import { text } from 'node:stream/consumers'
import type {
  DetachedOptions,
  DetachedProgram,
  ProcessEnd,
  RunSandbox,
  SpawnOptions,
} from '@sandagent/sdk/internal'
import type { CaseOf } from '../contract-case.ts'
import { soon } from '../expect.ts'

/** What a maker can do with its sandboxes. Cases that need a missing ability are left out. */
export interface SandboxAbilities<S extends RunSandbox = RunSandbox> {
  /** Removes the sandbox. It is called after each case, also after a failed one. */
  remove?: ((sandbox: S) => void | Promise<void>) | undefined
  /** Another object for the same place, as another process would make it. `remove` of the first one ends this one too. */
  another?: ((sandbox: S) => S | Promise<S>) | undefined
  /** Removes the workdir, as if its disk had gone away. */
  loseWorkdir?: ((sandbox: S) => void | Promise<void>) | undefined
  /**
   * Cuts the connection after it has carried so many more messages, in both directions together. With 0 it is cut now. The
   * returned function says whether the cut has happened.
   */
  cutAfter?: ((sandbox: S, messages: number) => () => boolean) | undefined
}

export interface SandboxContext {
  sandbox: RunSandbox
  another: () => Promise<RunSandbox>
  loseWorkdir: () => Promise<void>
  cutAfter: (messages: number) => () => boolean
  /** Runs a script of Node in the sandbox, with its arguments in `process.argv` from 1 on. Gives what it printed. */
  inside: (script: string, ...args: string[]) => Promise<string>
  /** Starts a detached program that is killed after the case. */
  start: (
    command: string,
    args: readonly string[],
    options?: Partial<DetachedOptions>,
  ) => Promise<DetachedProgram>
}

export type SandboxCase = CaseOf<keyof SandboxAbilities, SandboxContext>

/** Makes the context of one case, and releases everything afterwards. */
export async function withSandbox<S extends RunSandbox>(
  make: () => S | Promise<S>,
  abilities: SandboxAbilities<S>,
  run: (context: SandboxContext) => Promise<void>,
): Promise<void> {
  const sandbox = await make()
  const started: DetachedProgram[] = []
  try {
    await run({
      sandbox,
      another: async () => abilities.another?.(sandbox) ?? missing('another'),
      loseWorkdir: async () => abilities.loseWorkdir?.(sandbox),
      cutAfter: (messages) => abilities.cutAfter?.(sandbox, messages) ?? missing('cutAfter'),
      inside: (script, ...args) => printedBy(sandbox, 'node', ['-e', script, '--', ...args]),
      async start(command, args, options = {}) {
        const outputs = { stdout: `outputs/${started.length}.out`, stderr: `outputs/${started.length}.err` }
        const program = await sandbox.detached.start(command, args, { ...outputs, ...options })
        started.push(program)
        return program
      },
    })
  } finally {
    for (const { handle } of started) await sandbox.detached.kill(handle).catch(() => {})
    await abilities.remove?.(sandbox)
  }
}

/** A script of Node that stays until a signal ends it. */
export const STAYS = 'setInterval(() => {}, 60_000)'

/** What a program prints. It must succeed. */
export async function printedBy(
  sandbox: RunSandbox,
  command: string,
  args: readonly string[],
  options?: SpawnOptions,
): Promise<string> {
  const child = await sandbox.spawn(command, args, options)
  child.stdin.end()
  const [printed, complaints, { exitCode, error }] = await soon(
    Promise.all([text(child.stdout), text(child.stderr), child.ended]),
    command,
  )
  assert.equal(exitCode, 0, `${command} failed: ${error ?? complaints}`)
  return printed
}

/** Expects that a signal ended a program. Behind a shell or a container it is an exit code: 128 plus its number. */
export function endedBy(signal: 'SIGTERM' | 'SIGKILL', { exitCode, signal: found }: ProcessEnd): void {
  const code = 128 + constants.signals[signal]
  assert.ok(
    found === signal || (found === null && exitCode === code),
    `It ended by ${found ?? exitCode}, and not by ${signal}`,
  )
}

const missing = (ability: string): never => assert.fail(`The maker does not have ${ability}`)
