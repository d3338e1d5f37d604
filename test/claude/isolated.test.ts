import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import {
  LocalSandbox,
  listQuestions,
  readRun,
  startRun,
  stopRun,
  streamRun,
  submitAnswer,
} from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { call, startMessagesApi, text } from '../support/models/messages-api.ts'

const canIsolate = await new LocalSandbox({ workdir: import.meta.dirname, isolation: 'strict' })
  .activeIsolation()
  .then(
    () => true,
    () => false,
  )

it.skipIf(!canIsolate)(
  'Claude Code asks and works in isolation, with no way but that to its API',
  async () => {
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'r' },
          { label: 'Blue', description: 'b' },
        ],
      },
    ]
    const asking = call('AskUserQuestion', { questions })
    const looking = call('Bash', { command: 'ls -A /root /home /tmp ..', description: 'Look around' })
    const api = await startMessagesApi([[asking], [looking], [text('Done.')]])
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-claude-')))
    await writeFile(join(folder, 'secret'), '')
    const sandbox = new LocalSandbox({
      workdir: join(folder, 'work'),
      isolation: 'strict',
      onIsolation: () => {},
    })
    onTestFinished(async () => {
      await stopRun(sandbox, 'r', { graceMs: 0 }).catch(() => {})
      await api.close()
      await rm(folder, { recursive: true, maxRetries: 5 })
    })
    await startRun(sandbox, {
      runId: 'r',
      agent: 'claude',
      args: ['--model', 'claude-sonnet-4-5', '--allowed-tools', 'Bash'],
      prompt: 'Build something',
      runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
      env: {
        ANTHROPIC_BASE_URL: api.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
      },
    })
    await vi.waitFor(async () => {
      expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'running' })
      expect(await listQuestions(sandbox)).toHaveLength(1)
    })
    await submitAnswer(sandbox, {
      toolCallId: asking.id,
      answers: { 'Which colour?': 'Blue' },
      status: 'completed',
    })
    const stream = await textOf((await streamRun(sandbox, 'r')) as NodeReadableStream)
    expect(stream).toContain('"type":"finish"')
    expect(api.resultOf(asking.id)?.text).toContain('Blue')
    // Where this machine's files would be there is but the way to the workdir.
    expect(api.resultOf(looking.id)?.text).toContain('work')
    expect(api.resultOf(looking.id)?.text).not.toContain('secret')
    await vi.waitFor(async () => expect(await readRun(sandbox, 'r')).toMatchObject({ state: 'finished' }))
  },
  120_000,
)
