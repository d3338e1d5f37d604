import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChannelWarning, QuestionView } from '@sandagent/core'
import { createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { LocalSandbox, listQuestions, submitAnswer, toNodeHandler } from '@sandagent/sdk'
import {
  type ChoiceRequest,
  createUserChoiceRuntime,
  createUserChoiceTool,
  type ToolOperation,
  type UserChoiceRuntime,
  type UserChoiceRuntimeOptions,
  type UserChoiceTool,
  type UserChoiceToolOptions,
  type WebHandler,
} from '@sandagent/user-choice'
import { expect, onTestFinished, vi } from 'vitest'

/** A message that arrived, with the URL it came to. */
export interface Arrival {
  url: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever was posted
  body: any
}

/** A server on a free port of the loopback. */
export interface Site {
  url: string
  /** By path; they may come after the server. */
  routes: Map<string, WebHandler>
  /** What was posted to a path, in the order of arrival. */
  arrivals(path: string): Arrival[]
  /** Answers the next posts to a path by these statuses, without letting them through. */
  fail(path: string, ...statuses: number[]): void
}

/** Serves web handlers over real HTTP until the test is over, and keeps what arrives. */
export async function openSite(): Promise<Site> {
  const routes = new Map<string, WebHandler>()
  const arrived: (Arrival & { path: string })[] = []
  const failures = new Map<string, number[]>()
  const handle: WebHandler = async (request) => {
    const path = new URL(request.url).pathname
    const text = await request.clone().text()
    arrived.push({ path, url: request.url, body: parsed(text) })
    const status = failures.get(path)?.shift()
    if (status !== undefined) return new Response(null, { status })
    return routes.get(path)?.(request) ?? new Response(null, { status: 404 })
  }
  const server = createServer(toNodeHandler(handle)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routes,
    arrivals: (path) => arrived.filter((arrival) => arrival.path === path),
    fail: (path, ...statuses) => void failures.set(path, statuses),
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Takes everything. */
export const accepting: WebHandler = async () => new Response(null, { status: 200 })

/** Posts JSON; resolves to the status. */
export async function post(url: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await response.body?.cancel()
  return response.status
}

/** A folder that goes with the test. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-user-choice-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** The choice of the document. */
export const DIRECTORY_CHOICE = {
  prompt: 'Allow writing to the original directory?',
  choices: ['Yes for session', 'Yes once', 'No'],
  default: 2,
} satisfies ChoiceRequest

/** An operation that asks for the choice of the document before it writes to a directory. */
export const writeOperation: ToolOperation = {
  confirm: ({ arguments: { directory } }) => ({
    ...DIRECTORY_CHOICE,
    remember: { choices: [0], scope: String(directory) },
  }),
  perform: (_, picked) => (picked === null || picked.index === 2 ? 'Declined' : `Written: ${picked.label}`),
}

/** A tool on a site of its own. */
export interface ToolSite extends Site {
  tool: UserChoiceTool
  endpoint: string
  warnings: ChannelWarning[]
}

/** Opens a tool that the given origin may call. */
export async function openTool(
  callbackOrigin: string,
  options: Partial<UserChoiceToolOptions> = {},
  site?: Site,
): Promise<ToolSite> {
  const { url, routes, ...rest } = site ?? (await openSite())
  const warnings: ChannelWarning[] = []
  const tool = await createUserChoiceTool({
    operations: { write: writeOperation },
    storage: createLocalFiles(await tempFolder()),
    responseUrl: `${url}/user_choice_response`,
    callbackUrls: [`${callbackOrigin}/callback`],
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  onTestFinished(() => tool.close())
  routes.set('/invoke', tool.invoke)
  routes.set('/user_choice_response', tool.respond)
  return { url, routes, ...rest, tool, endpoint: `${url}/invoke`, warnings }
}

/** A runtime on a site of its own, with the sandbox where its user is asked. */
export interface RuntimeSite extends Site {
  runtime: UserChoiceRuntime
  sandbox: LocalSandbox
  warnings: ChannelWarning[]
}

/** Opens a runtime. */
export async function openRuntime(
  options: Partial<UserChoiceRuntimeOptions> = {},
  { site, workdir }: { site?: Site; workdir?: string } = {},
): Promise<RuntimeSite> {
  const { url, routes, ...rest } = site ?? (await openSite())
  const folder = workdir ?? (await tempFolder())
  const warnings: ChannelWarning[] = []
  const runtime = await createUserChoiceRuntime({
    channel: createFileRunnerChannel({ workdir: folder }),
    storage: createLocalFiles(await tempFolder()),
    callbackUrl: `${url}/callback`,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  onTestFinished(() => runtime.close())
  routes.set('/callback', runtime.callback)
  return { url, routes, ...rest, runtime, sandbox: new LocalSandbox({ workdir: folder }), warnings }
}

/** Resolves to the question of a tool call once the user can see it. */
export const questionOf = (sandbox: LocalSandbox, id: string): Promise<QuestionView> =>
  vi.waitFor(async () => {
    const question = (await listQuestions(sandbox)).find((asked) => asked.toolCallId.endsWith(`:${id}`))
    if (!question) throw new Error('Not asked yet')
    return question
  })

/** Picks a choice by its label, as a page does. */
export async function pick(sandbox: LocalSandbox, id: string, label: string): Promise<void> {
  const { toolCallId, questions } = await questionOf(sandbox, id)
  await submitAnswer(sandbox, { toolCallId, answers: { [questions[0]?.question as string]: label } })
}

/** Resolves to what was posted to a path, once so much has come. */
export const arrived = (site: Site, path: string, count: number): Promise<Arrival[]> =>
  vi.waitFor(() => {
    const arrivals = site.arrivals(path)
    expect(arrivals).toHaveLength(count)
    return arrivals
  })
