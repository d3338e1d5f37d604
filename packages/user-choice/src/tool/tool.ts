import { isDeepStrictEqual } from 'node:util'
import { parseInvocation } from '@sandagent/core/dialects/user-choice'
import {
  AskError,
  checkOptions,
  createMutex,
  filledText,
  invalid,
  parseWith,
  systemClock,
  untilDone,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { urlFilter } from '../lib/allowed-urls.ts'
import { callName, createToken, sameToken, tokenOf, urlOf } from '../lib/call-token.ts'
import { jsonHandler, postHandler, readJson, type WebHandler } from '../lib/http.ts'
import { isInternalHost } from '../lib/internal-host.ts'
import { postableUrl } from '../lib/postable-url.ts'
import { createCallRecords } from '../lib/storage.ts'
import { createDecisions, type RememberedDecision } from './decisions.ts'
import { createToolCall, type ToolCallWork } from './tool-call.ts'
import { TOOL_OPTIONS, type UserChoiceToolOptions } from './tool-options.ts'
import { type ToolRecord, toolRecordSchema } from './tool-record.ts'

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
  checkOptions('createUserChoiceTool', options, TOOL_OPTIONS)
  const { operations, storage, responseUrl, callbackUrls, timeoutMs = DAY_MS, maxCalls = 1000 } = options
  const {
    fetch = globalThis.fetch,
    clock = systemClock,
    onWarning = () => {},
    authorize = () => true,
  } = options
  const records = createCallRecords(storage, 'tool-calls', toolRecordSchema, onWarning)
  const decisions = createDecisions(storage)
  const inTurn = createMutex()
  const calls = new Map<string, ToolCallWork>()
  const running = new Set<Promise<void>>()
  const closing = new AbortController()
  const mayCallBack = urlFilter('callbackUrls', callbackUrls)

  const { protocol, hostname } = new URL(responseUrl)
  if (protocol !== 'https:' && !isInternalHost(hostname))
    throw invalid('INVALID_REQUEST', 'This response URL would let others read what users choose', [
      { path: 'responseUrl', expected: 'https, or a host of an internal network' },
    ])

  const callOf = (name: string, record: ToolRecord): ToolCallWork =>
    createToolCall(record, {
      operation: Object.hasOwn(operations, record.invocation.operation)
        ? operations[record.invocation.operation]
        : undefined,
      decisions,
      responseUrl: urlOf(responseUrl, record.token),
      timeoutMs,
      fetch,
      clock,
      onWarning,
      save: (next) => records.write(name, next),
      inTurn: (task) => inTurn(name, task),
    })

  const work = (name: string, record: ToolRecord): void => {
    const call = callOf(name, record)
    calls.set(name, call)
    const { id: toolCallId } = record.invocation
    const onFailure = (error: unknown): void =>
      onWarning({ code: 'INTERNAL', message: messageOf(error), toolCallId })
    const run = untilDone(() => call.run(), { clock, signal: closing.signal, onFailure }).finally(() => {
      calls.delete(name)
      running.delete(run)
    })
    running.add(run)
  }

  const find = async (name: string): Promise<ToolCallWork | null> => {
    const record = calls.has(name) ? null : await records.read(name)
    return calls.get(name) ?? (record && callOf(name, record))
  }

  /** A 500: the runtime tries again, and may reach the next tool. */
  const failWhenClosed = (): void => {
    if (closing.signal.aborted) throw new Error('The tool is closed')
  }

  /** Warns the tool's operator too: their runtimes cannot call it. */
  const refused = (code: 'FORBIDDEN' | 'RATE_LIMITED', why: string): AskError => {
    onWarning({ code, message: `A call was refused: ${why}` })
    return new AskError(code, why)
  }

  const fromRuntime = (handle: (body: unknown) => Promise<void>): WebHandler =>
    jsonHandler(handle, onWarning, async (request) => {
      if ((await authorize(request)) !== true) throw refused('FORBIDDEN', 'It was not authorized')
      failWhenClosed()
    })

  /** The runtime cannot do anything about a failure, so it is only a warning here. */
  const advised = async (task: Promise<void> | undefined): Promise<void> => {
    try {
      await task
    } catch (error) {
      onWarning({ code: 'INTERNAL', message: messageOf(error) })
    }
  }

  for (const record of await records.open(clock.now()))
    work(callName(record.invocation.group_id, record.invocation.id), record)

  return {
    invoke: fromRuntime(async (body) => {
      const invocation = parseInvocation(body)
      const name = callName(invocation.group_id, invocation.id)
      await inTurn(name, async () => {
        if (!(await mayCallBack(invocation.callback_url)))
          throw refused('FORBIDDEN', `Nothing is posted to ${shownUrl(invocation.callback_url)}`)
        const found = await find(name)
        if (found && !isDeepStrictEqual(found.record.invocation, invocation))
          throw new AskError('CONFLICT', 'This id is taken by another call')
        if (found) return
        if (calls.size >= maxCalls) throw refused('RATE_LIMITED', `${maxCalls} calls are pending`)
        await records.sweep(clock.now())
        const record: ToolRecord = { version: 1, invocation, token: createToken(name), begun: false }
        await records.write(name, record)
        work(name, record)
      })
    }),

    respond: postHandler(async (request) => {
      failWhenClosed()
      const shown = tokenOf(request)
      const call = shown && (await find(shown.name))
      if (!call || !sameToken(call.record.token, shown.token)) throw unknownChoice()
      const given = await readSelection(request).catch((error: unknown) => {
        if (error instanceof AskError) return error
        throw error
      })
      // Who has the token sends the selection of this call. So a body that is none ends the call.
      if (given instanceof AskError) return call.takeSelection(undefined, given)
      if (given.id !== call.record.invocation.id) throw unknownChoice()
      await call.takeSelection(given.selected)
    }, onWarning),

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
      const name = callName(named.thread_id, named.tool_call_id)
      // An invocation that goes on makes the call first. Then the call takes the turn itself.
      await inTurn(name, async () => {})
      await advised(calls.get(name)?.cancel())
    }),

    closeThread: fromRuntime(async (body) => {
      const { thread_id } = parseWith(threadSchema, body, 'INVALID_REQUEST', 'This names no conversation')
      await advised(decisions.forget(thread_id))
    }),

    decisions: decisions.list,
    forget: decisions.forget,

    async close() {
      closing.abort()
      for (const call of calls.values()) call.close()
      await Promise.all(running)
    },
  }
}

const readSelection = async (request: Request): Promise<{ id: string; selected?: unknown }> =>
  parseWith(selectionSchema, await readJson(request), 'INVALID_REQUEST', 'This is no selection')

const unknownChoice = (): AskError => new AskError('NOT_FOUND', 'No such choice was asked for')

/** A callback URL without its query, which may hold a secret. */
const shownUrl = (text: string): string => {
  const url = postableUrl(text)
  return url ? url.origin + url.pathname : 'this callback URL'
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
