import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandSandbox } from '@sandagent/remote'
import { type Isolation, LocalSandbox, type RunnerCommand, type RunSandbox } from '@sandagent/sdk'

/** Where the agents of the demo work. */
export interface DemoSandbox {
  sandbox: RunSandbox & { activeIsolation(): Promise<Isolation> }
  /** The `sandagent` command there. Default: the one that the sandbox has, or that comes with it. */
  runner?: RunnerCommand
  /** The scenario of the scripted agent, as that agent finds it. */
  scenario: string
}

export interface SandboxChoice {
  /** The command of `--sandbox`. Without it the agents work on this machine. */
  command: string | undefined
  /** The agent's folder. Default: a new one for every start. */
  workdir: string | undefined
  /** The root of this repository. */
  root: string
  /** The `sandagent` command of this repository. */
  sandagent: string
}

/** @throws AskError if the sandbox cannot be reached */
export async function chooseSandbox({
  command,
  workdir,
  root,
  sandagent,
}: SandboxChoice): Promise<DemoSandbox> {
  const scenario = join(root, '.sandagent/scenarios/create-project.json')
  if (command === undefined) {
    const folder = workdir ?? newFolderIn(join(root, '.sandagent'))
    const sandbox = new LocalSandbox({ workdir: folder, readable: [scenario], onIsolation: console.log })
    return { sandbox, runner: [process.execPath, sandagent], scenario }
  }
  const [program = '', ...args] = command.trim().split(/\s+/)
  if (program === '') throw new Error('--sandbox takes a command, such as "ssh user@host"')
  const sandbox = commandSandbox([program, ...args], {
    workdir: workdir ?? `/tmp/sandagent-demo-${randomUUID().slice(0, 8)}`,
  })
  const { reason } = await sandbox.activeIsolation()
  console.log(reason)
  const path = `${sandbox.stateFolder}/create-project.json`
  await sandbox.files.writeAtomic(path, await readFile(scenario, 'utf8'))
  return { sandbox, scenario: path }
}

function newFolderIn(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return mkdtempSync(join(folder, 'demo-'))
}
