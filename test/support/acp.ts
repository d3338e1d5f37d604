import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning, QuestionRecord } from '@sandagent/core'
import { createFileHostChannel, createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type AgentRun, createUiStream, receiptsWritten, runAgent } from '@sandagent/runner'
import { type AcpAgentOptions, createAcpAgent } from '@sandagent/runner/acp'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** What the agent of `programs/acp-agent.mjs` does, and how its client answered. */
export interface Script {
  steps?: readonly object[]
  capabilities?: object
  authMethods?: readonly object[]
  history?: readonly object[]
  stopReason?: string
  version?: number
}

interface Chunk {
  type: string
  toolCallId?: string
  toolName?: string
  input?: unknown
  output?: unknown
  errorText?: string
  delta?: string
  messageMetadata?: { sessionId?: string }
}

interface Fact {
  method: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

export interface AcpRun {
  sandbox: LocalSandbox
  ended: Promise<void>
  chunks: Chunk[]
  warnings: ChannelWarning[]
  /** What the agent was asked, and what it got. */
  facts(): Fact[]
  /** The results of what the agent has asked, once there are so many. */
  results(count?: number): Promise<(Fact['result'] | Fact['error'])[]>
  record(toolCallId: string): Promise<QuestionRecord | undefined>
  stop(): void
  /** Starts it once more in the same folder. */
  again(options?: Partial<AcpAgentOptions>, run?: Partial<AgentRun>): AcpRun
}

const program = join(root, 'test/support/programs/acp-agent.mjs')

/** The program of an agent that does this. */
export async function acpAgent(script: Script): Promise<{ command: string; args: [string, string] }> {
  const path = join(await tempDir(), 'script.json')
  await writeFile(path, JSON.stringify(script))
  return { command: process.execPath, args: [program, path] }
}

/** What the agent with this script was asked, and what it got. */
const factsIn = (path: string): Fact[] =>
  existsSync(`${path}.log`)
    ? readFileSync(`${path}.log`, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : []

/** The results of what the agent with this script has asked, once there are so many. */
export const resultsIn = (path: string, count = 1): Promise<(Fact['result'] | Fact['error'])[]> =>
  vi.waitFor(() => {
    const found = factsIn(path).filter((fact) => 'result' in fact || 'error' in fact)
    if (found.length < count) throw new Error(`The agent got ${found.length} answers`)
    return found.map(({ result, error }) => result ?? error)
  })

/** A run of an agent of ACP, in a folder of its own. */
export async function startAcp(
  script: Script,
  options: Partial<AcpAgentOptions> = {},
  run: Partial<AgentRun> = {},
): Promise<AcpRun> {
  const agent = await acpAgent(script)
  return startAcpProgram(await tempDir(), { ...agent, ...options }, run, agent.args[1])
}

/** The same with any program. */
export function startAcpProgram(
  workdir: string,
  options: AcpAgentOptions,
  given: Partial<AgentRun> = {},
  path = '',
): AcpRun {
  const sandbox = new LocalSandbox({ workdir })
  const host = createFileHostChannel({ files: sandbox.files })
  const stop = new AbortController()
  const chunks: Chunk[] = []
  const warnings: ChannelWarning[] = []
  const onWarning = (warning: ChannelWarning): void => void warnings.push(warning)
  const ended = runAgent(createAcpAgent(options), {
    prompt: 'Build something',
    workdir,
    runId: 'r',
    channel: createFileRunnerChannel({ workdir, onWarning }),
    ui: createUiStream((event) => {
      if (!event.includes('[DONE]')) chunks.push(JSON.parse(event.slice('data: '.length)))
    }),
    signal: stop.signal,
    timeoutMs: 'never',
    timeoutPolicy: 'partial',
    onWarning,
    ...given,
  })
  ended.catch(() => {}) // The test that cares awaits it itself.
  onTestFinished(async () => {
    stop.abort()
    await Promise.allSettled([ended])
    await receiptsWritten()
  })
  const facts = (): Fact[] => factsIn(path)
  return {
    sandbox,
    ended,
    chunks,
    warnings,
    facts,
    results: (count) => resultsIn(path, count),
    record: async (toolCallId) => (await host.read(toolCallId)).record,
    stop: () => stop.abort(),
    again: (more = {}, run = {}) =>
      startAcpProgram(workdir, { ...options, ...more }, { ...given, ...run }, path),
  }
}
