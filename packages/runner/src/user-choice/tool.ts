import { isDeepStrictEqual } from 'node:util'
import { AskError, type ChannelWarning, type Clock, invalid, parseWith, systemClock } from '@sandagent/core'
import { parseInvocation } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import { type AllowedUrls, urlFilter } from './allowed-urls.ts'
import { untilDone } from './back-off.ts'
import { callName, createToken, sameToken, tokenOf, urlOf } from './call-token.ts'
import { createDecisions } from './decisions.ts'
import { jsonHandler, type WebHandler } from './http.ts'
import { isInternalHost } from './internal-host.ts'
import type { ToolOperation } from './operation.ts'
import { createCallRecords, type UserChoiceStorage } from './storage.ts'
import { createToolCall, type ToolCallWork } from './tool-call.ts'
import { type ToolRecord, toolRecordSchema } from './tool-record.ts'
import { createTurns } from './turns.ts'

export interface UserChoiceToolOptions {
  /** What the tool does, by name. */
  operations: Readonly<Record<string, ToolOperation>>
  /** Where pending calls and decisions outlive this process. */
  storage: UserChoiceStorage
  /**
   * Where runtimes reach {@link UserChoiceTool.respond}; each call gets a URL of its own from it. Without TLS it must be
   * on this machine or an internal network, where nobody outside reads what users choose.
   */
  responseUrl: string
  /** Where runtimes are called back, such as `https://agent.example.com/callback`: nothing is posted elsewhere. */
  callbackUrls: AllowedUrls
  /** How long a choice is waited for before its call fails, in milliseconds. Default a day. */
  timeoutMs?: number
  fetch?: typeof fetch
  clock?: Clock
  /** Told of what went wrong, such as an operation that threw. */
  onWarning?: (warning: ChannelWarning) => void
}

/** A tool's end of User Choice. Every call that it took ends in a `tool_result`, also across restarts. */
export interface UserChoiceTool {
  /** Takes invocations, and says so at once; the work comes after. The same invocation again changes nothing. */
  invoke: WebHandler
  /** Takes selections from runtimes. */
  respond: WebHandler
  /** Forgets what was decided for the rest of a conversation: for the end of that conversation. */
  forget(groupId: string): Promise<void>
  /** Stops. What is pending goes on with the next tool over the same storage. */
  close(): Promise<void>
}

const DAY_MS = 24 * 60 * 60_000

const responseSchema = v.object({ id: v.string(), selected: v.unknown() })

/**
 * Opens a tool, and goes on with the calls that are pending in its storage.
 *
 * @throws AskError `INVALID_REQUEST` for a response URL that strangers could listen to.
 */
export async function createUserChoiceTool(options: UserChoiceToolOptions): Promise<UserChoiceTool> {
  const { operations, storage, responseUrl, callbackUrls, timeoutMs = DAY_MS } = options
  const { fetch = globalThis.fetch, clock = systemClock, onWarning = () => {} } = options
  const records = createCallRecords(storage, 'tool-calls', toolRecordSchema, onWarning)
  const decisions = createDecisions(storage)
  const inTurn = createTurns()
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
      closing: closing.signal,
    })

  /** Puts a call to work until it ends. */
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

  /** The other side shall try again: another tool may go on. */
  const failWhenClosed = (): void => {
    if (closing.signal.aborted) throw new Error('The tool is closed')
  }

  for (const record of await records.unfinished(clock.now()))
    work(callName(record.invocation.group_id, record.invocation.id), record)

  return {
    invoke: jsonHandler(async (body) => {
      failWhenClosed()
      const invocation = parseInvocation(body)
      if (!(await mayCallBack(invocation.callback_url)))
        throw new AskError('FORBIDDEN', 'Nothing is posted to this callback URL')
      const name = callName(invocation.group_id, invocation.id)
      await inTurn(name, async () => {
        const found = await find(name)
        if (found && !isDeepStrictEqual(found.record.invocation, invocation))
          throw new AskError('CONFLICT', 'This id is taken by another call')
        if (found) return
        const record: ToolRecord = { version: 1, invocation, token: createToken(name), begun: false }
        await records.write(name, record)
        work(name, record)
      })
    }, onWarning),

    respond: jsonHandler(async (body, request) => {
      failWhenClosed()
      const { id, selected } = parseWith(responseSchema, body, 'INVALID_REQUEST', 'This is no selection')
      const shown = tokenOf(request)
      const call = shown && (await find(shown.name))
      if (!call || !sameToken(call.record.token, shown.token) || id !== call.record.invocation.id)
        throw new AskError('NOT_FOUND', 'No such choice was asked for')
      await call.takeSelection(selected)
    }, onWarning),

    forget: (groupId) => decisions.forget(groupId),

    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
