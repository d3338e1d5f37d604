import { isDeepStrictEqual } from 'node:util'
import { parseInvocation, type ToolInvocation } from '@sandagent/core/dialects/user-choice'
import {
  AskError,
  type ChannelWarning,
  type Clock,
  checkOptions,
  DEFAULT_TIMEOUT_MS,
  invalid,
  type OptionNames,
  type RunnerChannel,
  systemClock,
  type TimeoutMs,
} from '@sandagent/core/internal'
import { type AllowedUrls, urlFilter } from '../lib/allowed-urls.ts'
import { callName, createToken, urlOf } from '../lib/call-token.ts'
import { MAX_MESSAGE_BYTES, messageOf, postHandler, readJson, type WebHandler } from '../lib/http.ts'
import { isSameServer } from '../lib/internal-host.ts'
import { postableUrl } from '../lib/postable-url.ts'
import type { UserChoiceStorage } from '../lib/storage.ts'
import { Calls } from '../machine/calls.ts'
import { createRuntimeRole } from './runtime-call.ts'
import { dismissed, type RuntimeRecord, runtimeRecordSchema, type UserChoiceResult } from './runtime-steps.ts'

export interface UserChoiceRuntimeOptions {
  channel: RunnerChannel
  /** Keeps pending calls across restarts. */
  storage: UserChoiceStorage
  /** The URL of {@link UserChoiceRuntime.callback}. Each call gets its own URL, with a token. */
  callbackUrl: string
  /** Where selections may be posted, beside the tool's own origin. Default: nowhere else. */
  responseUrls?: AllowedUrls | undefined
  /** How long a choice waits untouched before its default is taken, in milliseconds. Default `never`. */
  timeoutMs?: TimeoutMs | undefined
  /** How long a tool may take to end its call after a refused message or selection, in milliseconds. Default a minute. */
  refusalTimeoutMs?: number | undefined
  /** The most pending calls. Default 1000. */
  maxCalls?: number | undefined
  fetch?: typeof fetch | undefined
  clock?: Clock | undefined
  /** Called for faults that do not end a call, such as a tool that refuses the user's selection. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

/** A call of a tool. */
export interface RuntimeCall {
  /** The tool's URL for invocations. */
  endpoint: string
  operation: string
  arguments: Record<string, unknown>
  /** Unique in its conversation. `questionIdOf` makes the question's tool call id from it. */
  id: string
  /** The conversation. It is also the run id of the question. */
  groupId: string
  callId?: string | undefined
  userId?: string | undefined
  /** The conversations above this one, from the first to its parent. */
  threadAncestors?: readonly string[] | undefined
}

/** The agent runtime's end of User Choice: it calls tools and asks the user when a tool needs a choice. */
export interface UserChoiceRuntime {
  /**
   * Calls a tool and waits for its result, without a time limit. The same call again waits for the same result, also
   * after a restart. The invocation is sent once. A tool that cannot be reached, fails or refuses is a result too.
   *
   * @param options.signal ends the wait: the question is withdrawn, and the tool gets the default of its choice
   * @throws AskError `INVALID_REQUEST` with every fault, `TOO_LARGE`, `RATE_LIMITED` when too many calls are pending,
   *   `CONFLICT` when another call has this id, `GONE` when the runtime closes first; the signal's reason when it aborts.
   */
  invoke(call: RuntimeCall, options?: { signal?: AbortSignal | undefined }): Promise<UserChoiceResult>
  /** Takes `user_choice` and `tool_result` messages of tools. It ignores others. */
  callback: WebHandler
  /** Stops. The next runtime with this storage goes on with pending calls and open questions. */
  close(): Promise<void>
}

const NAMES: OptionNames<UserChoiceRuntimeOptions> = {
  channel: true,
  storage: true,
  callbackUrl: true,
  responseUrls: true,
  timeoutMs: true,
  refusalTimeoutMs: true,
  maxCalls: true,
  fetch: 'function',
  clock: 'clock',
  onWarning: 'function',
}

/** Opens a runtime, and goes on with the pending calls of its storage. */
export async function createUserChoiceRuntime(options: UserChoiceRuntimeOptions): Promise<UserChoiceRuntime> {
  checkOptions('createUserChoiceRuntime', options, NAMES)
  const { channel, storage, callbackUrl, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const { refusalTimeoutMs = 60_000, maxCalls = 1000 } = options
  const { fetch = globalThis.fetch, clock = systemClock, onWarning = () => {} } = options
  const isListed = urlFilter('responseUrls', options.responseUrls ?? [])
  let isClosed = false

  const mayReceive = async (responseUrl: string, endpoint: string): Promise<boolean> => {
    const [response, tool] = [postableUrl(responseUrl), postableUrl(endpoint)]
    return (response !== null && tool !== null && isSameServer(response, tool)) || isListed(responseUrl)
  }

  const parts = { channel, timeoutMs, fetch, clock, onWarning, mayReceive }
  const calls = new Calls({
    storage,
    folder: 'runtime-calls',
    schema: runtimeRecordSchema,
    roleOf: (call: RuntimeRecord) => createRuntimeRole(call, parts),
    waitMs: refusalTimeoutMs,
    maxCalls,
    clock,
    onWarning,
  })

  const failWhenClosed = (): void => {
    if (isClosed) throw new AskError('GONE', 'The runtime is closed')
  }

  await calls.resume()

  return {
    async invoke({ endpoint, ...call }, { signal } = {}) {
      signal?.throwIfAborted()
      failWhenClosed()
      const token = createToken(callName(call.groupId, call.id))
      const invocation = invocationOf(call, urlOf(callbackUrl, token))
      if (!postableUrl(endpoint))
        throw invalid('INVALID_REQUEST', 'This tool cannot be called', [
          { path: 'endpoint', expected: 'an http or https URL without a user name' },
        ])
      if (Buffer.byteLength(JSON.stringify(invocation)) > MAX_MESSAGE_BYTES)
        throw new AskError('TOO_LARGE', `An invocation has at most ${MAX_MESSAGE_BYTES} bytes`)
      const record: RuntimeRecord = { version: 1, endpoint, invocation, token, step: { at: 'sending' } }
      const isSame = (known: RuntimeRecord): boolean => isSameCall(known, endpoint, invocation)
      const called = await calls.take(record, isSame, failWhenClosed)
      const { role } = called
      const dismiss = (): void => {
        called
          .send(dismissed)
          .catch((error) => onWarning({ code: 'INTERNAL', message: messageOf(error), toolCallId: call.id }))
      }
      return signal ? role.resultUnless(signal, dismiss) : role.result
    },

    callback: postHandler(async (request) => {
      const body = await readJson(request)
      // A 500: the tool tries again, and may reach the next runtime.
      if (isClosed) throw new Error('The runtime is closed')
      const call = await calls.ofToken(request)
      if (!call) throw new AskError('NOT_FOUND', 'No such call was made')
      await call.role.receive(body, (move) => call.send(move))
    }, onWarning),

    async close() {
      isClosed = true
      await calls.close()
    },
  }
}

const invocationOf = (call: Omit<RuntimeCall, 'endpoint'>, callbackUrl: string): ToolInvocation =>
  parseInvocation({
    operation: call.operation,
    arguments: call.arguments,
    id: call.id,
    call_id: call.callId ?? null,
    callback_url: callbackUrl,
    group_id: call.groupId,
    user_id: call.userId ?? null,
    ...(call.threadAncestors && { thread_ancestors: [...call.threadAncestors] }),
  })

const isSameCall = (record: RuntimeRecord, endpoint: string, invocation: ToolInvocation): boolean =>
  record.endpoint === endpoint &&
  isDeepStrictEqual(record.invocation, { ...invocation, callback_url: record.invocation.callback_url })
