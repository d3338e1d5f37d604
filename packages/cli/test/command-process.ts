import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { writeScenario } from './write-scenario.ts'

export const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** A command of its own, with what it has printed so far. */
interface CommandProcess {
  child: ChildProcessWithoutNullStreams
  stdout(): string
  stderr(): string
  ended: Promise<Ended>
}

/** A person's home: what its commands keep, and the folders that they know. */
export interface Home {
  env: NodeJS.ProcessEnv
  /** Starts the command. */
  start(args: readonly string[], options?: { cwd?: string }): CommandProcess
  /** Runs the command to its end. */
  run(...args: string[]): Promise<Ended>
  /** An agent that asks in a folder of its own, once its question is open. */
  asking(
    runId: string,
    ...steps: object[]
  ): Promise<{ sandbox: LocalSandbox; run: CommandProcess; outcome(): Promise<string> }>
}

export const COLOUR = {
  ask: {
    questions: [{ id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
  },
}

export async function createHome(): Promise<Home> {
  const env = { ...process.env, XDG_CONFIG_HOME: await tempDir(), NO_COLOR: '1' }
  const start: Home['start'] = (args, { cwd } = {}) => {
    const child = spawn(process.execPath, [main, ...args], { env, cwd })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdin.on('error', () => {}) // It may be gone.
    const printed = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (text) => {
        printed[name] += text
      })
    const ended = once(child, 'close').then(([code]) => ({ code, ...printed }))
    return { child, stdout: () => printed.stdout, stderr: () => printed.stderr, ended }
  }
  return {
    env,
    start,
    run(...args) {
      const { child, ended } = start(args)
      child.stdin.end()
      return ended
    },
    async asking(runId, ...steps) {
      const workdir = await tempDir()
      const scenario = await writeScenario(
        workdir,
        ...(steps.length > 0 ? steps : [COLOUR, { say: 'It is {{answers.colour}}.' }]),
      )
      const run = start(['run', '--scenario', scenario, '--workdir', workdir, '--run-id', runId, '--', 'x'])
      const sandbox = new LocalSandbox({ workdir })
      const [question] = await vi.waitFor(async () => {
        const open = await listQuestions(sandbox)
        expect(open).toHaveLength(1)
        return open
      })
      const host = createFileHostChannel({ files: sandbox.files })
      const outcome = async () => (await host.read(question?.toolCallId ?? '')).record?.state ?? 'none'
      return { sandbox, run, outcome }
    },
  }
}
