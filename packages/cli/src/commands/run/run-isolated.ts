import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PASSKEYS_VARIABLE, PUBLIC_KEYS_VARIABLE, printable } from '@sandagent/core/internal'
import { agentNeeds, LocalSandbox } from '@sandagent/sdk'
import { enterWorkdir, KNOWN_WORKDIRS_VARIABLE } from '@sandagent/sdk/internal'
import { DEMAND_OPTIONS } from '../../arguments/shared-options.ts'
import type { CliIo } from '../../io.ts'
import { warn } from '../../warn.ts'
import { createWriter } from '../../writer.ts'
import type { RunArgs } from './run-args.ts'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/**
 * Runs the same command line in a sandbox. This process reports the isolation, and passes on output and signals.
 *
 * @returns the exit code
 * @throws AskError `ISOLATION_UNAVAILABLE` when `strict` isolation is not possible.
 */
export async function runIsolated(args: readonly string[], options: RunArgs, io: CliIo): Promise<number> {
  const { agent, isolation } = options
  const scenario = agent.name === 'scripted' ? [resolve(agent.scenario)] : []
  const sandbox = new LocalSandbox({
    workdir: options.workdir,
    stateFolder: options.stateFolder,
    isolation,
    readable: scenario,
    onIsolation: (sentence) => void io.stderr.write(`sandagent: ${sentence}\n`),
  })
  await enterWorkdir(sandbox, { onWarning: warn(io.stderr) })
  const needs = agentNeeds(agent.name, process.env)
  // The sandbox has another current directory.
  const own = ['--isolation=none', '--format=stream', `--workdir=${sandbox.workdir}`]
  const words = [...own, ...scenario.map((path) => `--scenario=${path}`)]
  const child = await sandbox.spawn(process.execPath, [main, 'run', ...withOptions(args, words)], {
    hosts: needs.hosts,
    env: {
      ...needs.env,
      [PUBLIC_KEYS_VARIABLE]: process.env[PUBLIC_KEYS_VARIABLE],
      [PASSKEYS_VARIABLE]: process.env[PASSKEYS_VARIABLE],
      [KNOWN_WORKDIRS_VARIABLE]: 'off', // It is entered already.
    },
    signal: io.signal,
  })
  child.stdin.end()
  // The agent may have written it, and cannot reach this terminal in another way.
  const passOn = async (from: NodeJS.ReadableStream, to: CliIo['stdout' | 'stderr']): Promise<void> => {
    const write = createWriter(to)
    from.setEncoding('utf8')
    for await (const text of from) await write(to.isTTY ? printable(String(text)) : String(text))
  }
  const [{ exitCode, error }] = await Promise.all([
    child.ended,
    passOn(child.stdout, io.stdout),
    passOn(child.stderr, io.stderr),
  ])
  if (error) throw error
  return exitCode ?? 1
}

/** Adds options before `--`. They override earlier ones. Those of {@link DEMAND_OPTIONS} go: the variables say it inside. */
function withOptions(args: readonly string[], options: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const isDemand = (arg: string | undefined): boolean =>
    Object.keys(DEMAND_OPTIONS).some((name) => arg === `--${name}` || arg?.startsWith(`--${name}=`))
  const own = args.slice(0, end).filter((arg, index) => {
    const before = args[index - 1]
    return !isDemand(arg) && !(isDemand(before) && !before?.includes('='))
  })
  return [...own, ...options, ...args.slice(end)]
}
