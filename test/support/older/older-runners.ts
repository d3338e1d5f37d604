import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'
import { claudeEnvironment } from '../models/claude-environment.ts'
import { type Block, type MessagesApi, startMessagesApi } from '../models/messages-api.ts'

/** The runners on npm that the SandAgent document is about: its own, and its successor's. */
export const OLDER_RUNNERS = {
  '@sandagent/runner-cli': '.sandagent',
  '@bunny-agent/runner-cli': '.bunny-agent',
} as const

export type OlderRunner = keyof typeof OLDER_RUNNERS

/** A run of the real package, with the real Claude Code, whose model is played by a test. */
export interface OlderRun {
  sandbox: LocalSandbox
  api: MessagesApi
  /** What it prints until it ends: the chunks of a UI message stream. */
  chunks: Promise<{ type: string; toolCallId?: string; output?: unknown }[]>
}

/** Starts it in a folder of its own, offline, with a home that goes with the test. */
export async function startOlderRunner(
  name: OlderRunner,
  turns: readonly (readonly Block[])[],
): Promise<OlderRun> {
  const home = await tempDir()
  const workdir = join(home, 'work')
  await mkdir(workdir)
  const api = await startMessagesApi(turns)
  const bundle = fileURLToPath(new URL(`../../node_modules/${name}/dist/bundle.mjs`, import.meta.url))
  const shim = new URL('../programs/mark-as-uncloneable.mjs', import.meta.url).href
  const words = ['--import', shim, bundle, 'run', '--cwd', workdir, '--', 'Build something']
  const child = spawn(process.execPath, words, {
    cwd: workdir,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      ...claudeEnvironment(home, api.url),
      // As root, Claude Code takes no permissions away without it.
      IS_SANDBOX: '1',
    },
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await api.close()
  })
  const chunks = text(child.stdout).then((stream) =>
    [...stream.matchAll(/^data: (\{.*)$/gm)].map(([, chunk]) => JSON.parse(chunk as string)),
  )
  const sandbox = new LocalSandbox({ workdir, stateFolder: OLDER_RUNNERS[name], isolation: 'none' })
  return { sandbox, api, chunks }
}
