import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  type ClientCapabilities,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { parseQuestionRecord, type QuestionRecord, type QuestionView } from '@sandagent/core'
import { createFileRunnerChannel, questionRecordPath } from '@sandagent/files'
import { type AskMcpOptions, type AskMcpServer, createAskMcpServer } from '@sandagent/runner/mcp'
import { LocalSandbox, listQuestions, toNodeHandler } from '@sandagent/sdk'
import { expect, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'

export const sandagent = join(root, 'packages/cli/dist/main.js')

/** The two eras of MCP: sessions and requests of the server's own; requests that stand alone. */
const eras = {
  2025: { mode: 'legacy' },
  2026: { mode: { pin: '2026-07-28' } },
} as const satisfies Record<string, ClientOptions['versionNegotiation']>

export type Era = keyof typeof eras

export async function tempSandbox(): Promise<LocalSandbox> {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-mcp-'))
  onTestFinished(() => rm(workdir, { recursive: true, force: true, maxRetries: 5 }))
  return new LocalSandbox({ workdir })
}

/** A client that is connected until the test ends. */
export async function connect(
  transport: Transport,
  {
    era = 2025,
    capabilities = {},
    name = 'test',
  }: { era?: Era; capabilities?: ClientCapabilities; name?: string } = {},
  prepare: (client: Client) => void = () => {},
): Promise<Client> {
  const client = new Client({ name, version: '1.0.0' }, { capabilities, versionNegotiation: eras[era] })
  prepare(client)
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

/** The variables that MCP clients pass on, and the tests' own place for what the command keeps. */
export const clientEnvironment = (): Record<string, string> => ({
  ...getDefaultEnvironment(),
  XDG_CONFIG_HOME: String(process.env.XDG_CONFIG_HOME),
})

/** Starts a program that speaks MCP on its standard input and output. */
export const startProgram = (...args: string[]): StdioClientTransport =>
  new StdioClientTransport({ command: process.execPath, args, env: clientEnvironment(), stderr: 'pipe' })

/** Serves web-standard requests over HTTP, and says where. */
export async function serveHttp({ fetch, close }: AskMcpServer): Promise<URL> {
  const server = createServer(toNodeHandler(fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
}

export const channelOf = ({ workdir }: LocalSandbox) => createFileRunnerChannel({ workdir })

export const overHttp = async (options: AskMcpOptions): Promise<Transport> =>
  new StreamableHTTPClientTransport(await serveHttp(createAskMcpServer(options)))

/** The questions that wait for an answer, once there are so many. */
export async function asked(sandbox: LocalSandbox, count: number): Promise<QuestionView[]>
/** The one question that waits for an answer. */
export async function asked(sandbox: LocalSandbox): Promise<QuestionView>
export async function asked(sandbox: LocalSandbox, count = 1): Promise<QuestionView | QuestionView[]> {
  const questions = await vi.waitFor(async () => {
    const questions = await listQuestions(sandbox)
    expect(questions).toHaveLength(count)
    return questions
  })
  return count === 1 ? (questions[0] as QuestionView) : questions
}

export async function recordOf({ files }: LocalSandbox, toolCallId: string): Promise<QuestionRecord> {
  return parseQuestionRecord((await files.read(questionRecordPath(toolCallId))) as string)
}
