import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChannelWarning, QuestionRecord } from '@sandagent/core'
import { createFileHostChannel, createFileRunnerChannel } from '@sandagent/files'
import { type AgentRun, createUiStream, runAgent } from '@sandagent/runner'
import { type ClaudeAgentOptions, createClaudeAgent } from '@sandagent/runner/claude'
import { type AnswerRequest, LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { claudeEnvironment } from './claude-environment.ts'
import { type MessagesApi, startMessagesApi, type Turn } from './messages-api.ts'

interface Chunk {
  type: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: unknown
  errorText?: string
  delta?: string
  messageMetadata?: Record<string, unknown>
}

/** A run of the real binary, as far as tests look at it. */
interface ClaudeRun {
  /** Resolves when the run is over, rejects with what it failed in. */
  ended: Promise<void>
  chunks: Chunk[]
  /** What was written of the UI stream. */
  stream(): string
  warnings: ChannelWarning[]
  sessionId(): string
  stop(): void
}

export interface ClaudeWorkspace {
  sandbox: LocalSandbox
  api: MessagesApi
  start(options?: ClaudeAgentOptions, run?: Partial<AgentRun>): ClaudeRun
  /** Waits until the question of a tool call, or the one for its permission, can be answered. */
  asked(toolCallId: string): Promise<QuestionRecord>
  /** Waits for the question and stores an answer to it as a host does. */
  answer(toolCallId: string, answer: Omit<AnswerRequest, 'toolCallId'>): Promise<void>
  record(toolCallId: string): Promise<QuestionRecord | undefined>
  /** Waits until the binary has written this to the transcript of a session. */
  transcriptHas(words: string): Promise<void>
}

/**
 * A folder in which the real binary works, offline: the model is played by `turns`, its home goes with the test.
 */
export async function createClaudeWorkspace(turns: readonly Turn[]): Promise<ClaudeWorkspace> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-claude-')))
  const api = await startMessagesApi(turns)
  const runs: ClaudeRun[] = []
  onTestFinished(async () => {
    for (const run of runs) run.stop()
    await Promise.allSettled(runs.map(({ ended }) => ended))
    vi.unstubAllEnvs()
    await api.close()
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  })
  // An agent that runs these tests must not lend its own session to the one under test.
  for (const name of Object.keys(process.env))
    if (/^(CLAUDE|ANTHROPIC)/.test(name)) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(claudeEnvironment(home, api.url))) vi.stubEnv(name, value)

  const projects = join(home, '.claude/projects')
  const workdir = join(home, 'work')
  await mkdir(workdir)
  const sandbox = new LocalSandbox({ workdir })
  const host = createFileHostChannel({ files: sandbox.files })
  const record = async (toolCallId: string) => (await host.read(toolCallId)).record
  const asked = (toolCallId: string): Promise<QuestionRecord> =>
    vi.waitFor(async () => {
      const found = await record(toolCallId)
      expect(found).toBeDefined()
      return found as QuestionRecord
    })

  return {
    sandbox,
    api,
    record,
    asked,
    start(options = {}, given = {}) {
      const stop = new AbortController()
      const chunks: Chunk[] = []
      const events: string[] = []
      const warnings: ChannelWarning[] = []
      const ui = createUiStream((event) => {
        events.push(event)
        if (!event.includes('[DONE]')) chunks.push(JSON.parse(event.slice('data: '.length)))
      })
      const onWarning = (warning: ChannelWarning): void => void warnings.push(warning)
      const ended = runAgent(createClaudeAgent({ model: 'claude-sonnet-4-5', ...options }), {
        prompt: 'Build something',
        workdir,
        runId: 'run_1',
        channel: createFileRunnerChannel({ workdir, onWarning }),
        ui,
        signal: stop.signal,
        timeoutMs: 'never',
        timeoutPolicy: 'partial',
        onWarning,
        ...given,
      })
      ended.catch(() => {}) // The test that cares awaits it itself.
      const run: ClaudeRun = {
        ended,
        chunks,
        stream: () => events.join(''),
        warnings,
        sessionId: () =>
          chunks.find(({ messageMetadata }) => messageMetadata?.sessionId)?.messageMetadata
            ?.sessionId as string,
        stop: () => stop.abort(),
      }
      runs.push(run)
      return run
    },
    transcriptHas: (words) =>
      vi.waitFor(async () => {
        const files = await readdir(projects, { recursive: true })
        const transcripts = files.filter((file) => file.endsWith('.jsonl'))
        const texts = await Promise.all(transcripts.map((file) => readFile(join(projects, file), 'utf8')))
        expect(texts.join('')).toContain(words)
      }),
    async answer(toolCallId, answer) {
      await asked(toolCallId)
      await submitAnswer(sandbox, { toolCallId, ...answer })
    },
  }
}
