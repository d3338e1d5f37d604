import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { type ScriptedResponses, scriptedResponses } from './models/scripted-responses.ts'

const BIN = join(root, 'test/node_modules/.bin')

/** A place for Codex: its home with its settings, a folder to work in, and a model that says what it is told to. */
export interface CodexPlace {
  sandbox: LocalSandbox
  model: ScriptedResponses
  home: string
  env: NodeJS.ProcessEnv
}

export async function codexPlace(turns: object[][], settings = ''): Promise<CodexPlace> {
  const home = await tempDir()
  const model = await scriptedResponses(...turns)
  await mkdir(join(home, '.codex'))
  await mkdir(join(home, 'work'))
  await writeFile(
    join(home, '.codex/config.toml'),
    `
      model = "gpt-5.5"
      model_provider = "stub"
      check_for_update_on_startup = false
      analytics.enabled = false
      [model_providers.stub]
      name = "stub"
      base_url = "${model.url}"
      wire_api = "responses"
      env_key = "STUB_KEY"
      ${settings}
    `,
  )
  const env = {
    ...process.env,
    PATH: [BIN, process.env.PATH].join(delimiter),
    STUB_KEY: 'none',
    CODEX_HOME: join(home, '.codex'),
  }
  return { sandbox: new LocalSandbox({ workdir: join(home, 'work') }), model, home, env }
}

export interface CodexRun {
  child: ChildProcess
  /** The stream so far, as text. */
  said(): string
  /** The thread, once it is known. */
  session(): string | undefined
}

/** `sandagent run --agent codex`, until the test ends. */
export function runCodex({ sandbox, env }: CodexPlace, ...args: string[]): CodexRun {
  const main = join(root, 'packages/cli/dist/main.js')
  const command = [main, 'run', '--agent', 'codex', '--workdir', sandbox.workdir, '--run-id', 'r', ...args]
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => stop(child))
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  child.stderr.on('data', (data) => (said += data))
  return { child, said: () => said, session: () => /"sessionId":"([^"]+)"/.exec(said)?.[1] }
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
