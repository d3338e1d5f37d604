import { isDeepStrictEqual } from 'node:util'
import { parseInvocation } from '@sandagent/core/dialects/user-choice'
import {
  AskError,
  type ChannelWarning,
  type Clock,
  checkOptions,
  filledText,
  invalid,
  type OptionNames,
  parseWith,
  systemClock,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { type AllowedUrls, urlFilter } from '../lib/allowed-urls.ts'
import { callName, createToken } from '../lib/call-token.ts'
import { orRefusal, postHandler, readJson, type WebHandler } from '../lib/http.ts'
import { isInternalHost } from '../lib/internal-host.ts'
import { postableUrl } from '../lib/postable-url.ts'
import type { UserChoiceStorage } from '../lib/storage.ts'
import { Calls } from '../machine/calls.ts'
import { Decisions, type RememberedDecision } from './decisions.ts'
import type { ToolOperation } from './operation.ts'
import { createToolRole } from './tool-call.ts'
import { cancelled, selected, type ToolRecord, toolRecordSchema } from './tool-steps.ts'

export interface UserChoiceToolOptions {
  /** By name. */
  operations: Readonly<Record<string, ToolOperation>>
  /** Keeps pending calls and decisions across restarts. */
  storage: UserChoiceStorage
  /**
   * The URL of `UserChoiceTool.respond`. Each call gets its own URL, with a token. Without TLS it must be on this machine
   * or an internal network.
   */
  responseUrl: string
  /** The URLs that runtimes may be called back on, such as `https://agent.example.com/callback`. */
  callbackUrls: AllowedUrls
  /** How long to wait for a choice before the call fails, in milliseconds. Default a day. */
  timeoutMs?: number | undefined
  /** The most pending calls. Others are refused with 429. Default 1000. */
  maxCalls?: number | undefined
  /** Who may call, cancel and close conversations. Default: everybody who can reach the handlers. */
  authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined
  /** How `UserChoiceTool.toolset` describes this tool. `endpoint` is the URL of `UserChoiceTool.invoke`. */
  toolset?: { name: string; description?: string; endpoint: string } | undefined
  fetch?: typeof fetch | undefined
  clock?: Clock | undefined
  /** Called for faults, such as an operation that threw. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

const NAMES: OptionNames<UserChoiceToolOptions> = {
  operations: true,
  storage: true,
  responseUrl: true,
  callbackUrls: true,
  timeoutMs: true,
  maxCalls: true,
  authorize: 'function',
  toolset: true,
  fetch: 'function',
  clock: 'clock',
  onWarning: 'function',
}

/** A tool's end of User Choice. Every accepted call ends in a `tool_result`, also after a restart. */
export interface UserChoiceTool {
  /** Accepts an invocation and responds before the work begins. The same invocation again changes nothing. */
  invoke: WebHandler
  /** Takes selections from runtimes. */
  respond: WebHandler
  /** Describes the operations: for `GET /.well-known/rap-toolset`. */
  toolset: WebHandler
  /** Cancels a call, `{ thread_id, tool_call_id }`: for `POST /cancel_tool_call`. */
  cancelToolCall: WebHandler
  /** Forgets the decisions of a conversation, `{ thread_id }`: for `POST /close_thread`. */
  closeThread: WebHandler
  /** The decisions that still hold in a conversation. */
  decisions(groupId: string): Promise<RememberedDecision[]>
  /** Revokes one decision of a conversation, or all of them. */
  forget(
    groupId: string,
    decision?: Pick<RememberedDecision, 'operation' | 'scope' | 'userId'>,
  ): Promise<void>
  /** Stops. The next tool with this storage goes on with pending calls. */
  close(): Promise<void>
}

const DAY_MS = 24 * 60 * 60_000

const threadSchema = v.object({ thread_id: filledText })
const cancelSchema = v.object({ thread_id: filledText, tool_call_id: filledText })
const selectionSchema = v.object({ id: v.string(), selected: v.unknown() })

/**
 * Opens a tool, and goes on with the pending calls of its storage.
 *
 * @throws AskError `INVALID_REQUEST` for an unencrypted response URL outside of internal networks.
 */
export async function createUserChoiceTool(options: UserChoiceToolOptions): Promise<UserChoiceTool> {
  checkOptions('createUserChoiceTool', options, NAMES)
  const { operations, storage, responseUrl, callbackUrls, timeoutMs = DAY_MS, maxCalls = 1000 } = options
  const { fetch = globalThis.fetch, clock = systemClock, onWarning = () => {} } = options
  const decisions = new Decisions(storage)
  const mayCallBack = urlFilter('callbackUrls', callbackUrls)
  let isClosed = false

  const { protocol, hostname } = new URL(responseUrl)
  if (protocol !== 'https:' && !isInternalHost(hostname))
    throw invalid('INVALID_REQUEST', 'This response URL would let others read what users choose', [
      { path: 'responseUrl', expected: 'https, or a host of an internal network' },
    ])

  const parts = { operations, decisions, responseUrl, fetch, clock, onWarning }
  const calls = new Calls({
    storage,
    folder: 'tool-calls',
    schema: toolRecordSchema,
    roleOf: (call: ToolRecord) => createToolRole(call, parts),
    waitMs: timeoutMs,
    maxCalls,
    clock,
    onWarning,
  })

  const handler = (handle: (request: Request) => Promise<void>): WebHandler =>
    postHandler(async (request) => {
      // A 500: the runtime tries again, and may reach the next tool.
      if (isClosed) throw new Error('The tool is closed')
      await handle(request)
    }, onWarning)

  /** Warns the tool's operator too: their runtimes cannot call it. */
  const fromRuntime = (handle: (body: unknown) => Promise<void>): WebHandler =>
    handler(async (request) => {
      try {
        if (options.authorize && (await options.authorize(request)) !== true)
          throw new AskError('FORBIDDEN', 'It was not authorized')
        await handle(await readJson(request))
      } catch (error) {
        if (error instanceof AskError && (error.code === 'FORBIDDEN' || error.code === 'RATE_LIMITED'))
          onWarning({ code: error.code, message: `A call was refused: ${error.message}` })
        throw error
      }
    })

  await calls.resume()

  return {
    invoke: fromRuntime(async (body) => {
      const invocation = parseInvocation(body)
      if (!(await mayCallBack(invocation.callback_url)))
        throw new AskError('FORBIDDEN', `Nothing is posted to ${shownUrl(invocation.callback_url)}`)
      const token = createToken(callName(invocation.group_id, invocation.id))
      await calls.take({ version: 1, invocation, token, step: { at: 'deciding' } }, (known) =>
        isDeepStrictEqual(known.invocation, invocation),
      )
    }),

    respond: handler(async (request) => {
      const call = await calls.ofToken(request)
      if (!call) throw unknownChoice()
      const given = await orRefusal(async () =>
        parseWith(selectionSchema, await readJson(request), 'INVALID_REQUEST', 'This is no selection'),
      )
      if (given instanceof AskError) {
        // Who has the token sends the selection of this call. So a body that is none ends the call.
        await call.send(selected(undefined, given))
      } else if (given.id !== call.call.invocation.id) throw unknownChoice()
      else await call.send(selected(given.selected))
    }),

    async toolset({ method }) {
      if (method !== 'GET' && method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      if (!options.toolset) return new Response(null, { status: 404 })
      const tools = Object.entries(operations).map(([name, { description = name, inputSchema }]) => ({
        name,
        description,
        inputSchema: inputSchema ?? { type: 'object' },
      }))
      return Response.json({ ...options.toolset, tools })
    },

    cancelToolCall: fromRuntime(async (body) => {
      const named = parseWith(cancelSchema, body, 'INVALID_REQUEST', 'This names no call')
      const call = await calls.pending(named.thread_id, named.tool_call_id)
      await call?.send(cancelled)
    }),

    closeThread: fromRuntime(async (body) => {
      const { thread_id } = parseWith(threadSchema, body, 'INVALID_REQUEST', 'This names no conversation')
      await decisions.forget(thread_id)
    }),

    decisions: (groupId) => decisions.list(groupId),
    forget: (groupId, decision) => decisions.forget(groupId, decision),

    async close() {
      isClosed = true
      await calls.close()
    },
  }
}

const unknownChoice = (): AskError => new AskError('NOT_FOUND', 'No such choice was asked for')

/** A callback URL without its query, which may hold a secret. */
const shownUrl = (text: string): string => {
  const url = postableUrl(text)
  return url ? url.origin + url.pathname : 'this callback URL'
}
