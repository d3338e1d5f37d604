import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { LocalSandbox, LocalSandboxOptions, SpawnOptions } from '../../src/index.ts'
import { probeIsolation } from '../../src/sandbox/isolation/probe.ts'
import { tempSandbox } from './temp-sandbox.ts'

/** Whether this machine can isolate programs at all. */
export const canIsolate = (await probeIsolation()) === null

/** A sandbox in a folder of its own, whose programs are isolated. */
export const isolatedSandbox = (options: Partial<LocalSandboxOptions> = {}): Promise<LocalSandbox> =>
  tempSandbox({ isolation: 'strict', ...options })

/** Runs a shell script inside, and resolves to what it printed. */
export async function printedBy(
  sandbox: LocalSandbox,
  script: string,
  options?: SpawnOptions,
): Promise<string> {
  const child = await sandbox.spawn('sh', ['-c', script], options)
  onTestFinished(() => child.kill())
  child.stdin.end()
  const [printed, complaints, { exitCode }] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.ended,
  ])
  if (exitCode !== 0) throw new Error(`It ended with ${exitCode}: ${complaints}`)
  return printed
}

/** Runs each of these commands inside, and tells by its text whether it succeeded. */
export async function outcomesOf(
  sandbox: LocalSandbox,
  commands: readonly string[],
): Promise<Record<string, boolean>> {
  const lines = commands.map(
    (command) => `if ( ${command} ) >/dev/null 2>&1; then echo yes; else echo no; fi`,
  )
  const printed = (await printedBy(sandbox, lines.join('\n'))).trim().split('\n')
  return Object.fromEntries(commands.map((command, index) => [command, printed[index] === 'yes']))
}

/** What `outcomesOf` gives where every command had the same outcome. */
export const all = (commands: readonly string[], outcome: boolean): Record<string, boolean> =>
  Object.fromEntries(commands.map((command) => [command, outcome]))
