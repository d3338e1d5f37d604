import { createHash } from 'node:crypto'
import {
  AskError,
  identityOf,
  parseAnswerFile,
  parseQuestionRecord,
  printableLine,
} from '@sandagent/core/internal'
import {
  type Candidates,
  type HostQuestions,
  listed,
  type StoredQuestion,
  type StoredText,
} from '@sandagent/core/store'
import type { RunFacts } from '@sandagent/sdk/internal'
import type { RelayClient } from '../connection/relay-client.ts'
import type { HostKeys, WireState, WireWarning } from '../protocol/channel-calls.ts'
import { fromWireError } from '../protocol/wire-errors.ts'
import { subscribeRemotely } from './remote-subscription.ts'

/** As much as a list of local files gives at most, in characters of open and of settled questions together. */
const MOST_LISTED_CHARS = 32 * 1024 * 1024

const MOST_RUNS = 1000

/** How many warnings of one call are passed on. */
const MOST_WARNINGS = 1000

/** The questions behind a relay, which works at the files. The host's channel checks what comes back as if it were files. */
export function remoteStore(client: RelayClient): { questions: HostQuestions; runs: RunFacts } {
  /** The keys of runs, as the latest reply had them. An answer is refused if they have changed. */
  const keyIdsByRun = new Map<string, readonly string[] | undefined>()
  /** The latest states of the subscriptions, so that an answer needs no look before it is written. */
  const followed = new Set<ReadonlyMap<string, WireState>>()

  /** @throws AskError `UNREACHABLE` for another question, `INVALID_FILE` */
  const storedOf = (
    { toolCallId, record, answerFile, keyIds, ...facts }: WireState,
    expectedId = toolCallId,
  ): StoredQuestion => {
    if (toolCallId !== expectedId)
      throw new AskError('UNREACHABLE', 'The relay answered for another question')
    const stored: StoredQuestion = {
      toolCallId,
      record: textOf(record),
      answer: textOf(answerFile),
      ...facts,
    }
    if (record === undefined) return stored
    stored.parsed = parseQuestionRecord(record, toolCallId)
    if (keyIdsByRun.size >= MOST_RUNS) keyIdsByRun.clear()
    keyIdsByRun.set(stored.parsed.runId, keyIds)
    return stored
  }

  const questions: HostQuestions = {
    tellsOfLoss: true,

    async read(toolCallIds, candidates = {}) {
      const keys = await keysIn(candidates)
      const [only, ...others] = toolCallIds
      if (only === undefined) return []
      if (others.length === 0) {
        const onEvent = listen(candidates, () => {})
        return [storedOf(await client.call('question', { keys, toolCallId: only }, { onEvent }), only)]
      }
      const found = await collected<{ index: number; state: WireState } | { index: number; error: object }>(
        candidates,
        (options) => client.call('states', { keys, toolCallIds: [...toolCallIds] }, options),
        ({ index }) => index < toolCallIds.length,
      )
      const byIndex = new Map(found.map((event) => [event.index, event]))
      return toolCallIds.map((toolCallId, index) => {
        const event = byIndex.get(index)
        if (event && 'state' in event) return storedOf(event.state, toolCallId)
        const error = event && fromWireError(event.error as never)
        return {
          toolCallId,
          record: null,
          answer: null,
          error: error instanceof AskError ? error : unreadable(toolCallId, error),
        }
      })
    },

    async latest(toolCallId) {
      for (const states of followed) {
        const state = states.get(toolCallId)
        if (state) return storedOf(state, toolCallId)
      }
      return null
    },

    async list({ unsettled = false, after, ...candidates } = {}) {
      const keys = await keysIn(candidates)
      const found = await collected<{ record: string }>(candidates, (options) =>
        client.call('questions', { keys, unsettled }, options),
      )
      return listed(
        found.map(({ record }) => parseQuestionRecord(record)),
        after,
      )
    },

    async withoutRecord(candidates) {
      const keys = await keysIn(candidates)
      const found = await collected<{ state: WireState }>(candidates, (options) =>
        client.call('withoutRecord', { keys }, options),
      )
      return found.map(({ state }) => storedOf(state))
    },

    async writeAnswer(toolCallId, text, { asked = null, ...candidates }) {
      const { revision = 1 } = parseAnswerFile(text, toolCallId)
      const runId = asked?.record.runId
      const hasKeys = runId !== undefined && keyIdsByRun.has(runId)
      const args = {
        keys: await keysIn(candidates),
        answerFile: text,
        expectedRevision: revision - 1,
        expectedRecord: asked && identityOf(asked.record),
        ...(hasKeys && { keyIds: [...(keyIdsByRun.get(runId) ?? [])] }),
      }
      try {
        const reply = await client.call('answer', args, { onEvent: listen(candidates, () => {}) })
        return storedOf({ toolCallId, answerFile: text, ...reply })
      } catch (error) {
        if (error instanceof AskError && error.code === 'CONFLICT') return null
        throw error
      }
    },

    persist: async () => void (await client.call('persist', {})),

    subscribe: (signal, { toolCallId, ...candidates } = {}) =>
      subscribeRemotely(
        client,
        {
          keys: () => keysIn(candidates),
          toolCallId,
          warn: atMost(MOST_WARNINGS, warningTo(candidates)),
          stored: (state) => storedOf(state, toolCallId),
          followed,
        },
        signal,
      ),
  }

  return {
    questions,
    runs: {
      async keyIds(runId) {
        if (keyIdsByRun.has(runId)) return keyIdsByRun.get(runId)
        const keyIds = await client.call('keysOfRun', { runId })
        return keyIds.length > 0 ? keyIds : undefined
      },
    },
  }
}

const keysIn = async ({ publicKeys }: Candidates): Promise<HostKeys> =>
  ((await publicKeys?.()) ?? null) as HostKeys

const textOf = (text: string | undefined): StoredText | null =>
  text === undefined ? null : { text, version: createHash('sha256').update(text).digest('base64') }

const warningTo =
  ({ onWarning }: Candidates) =>
  ({ code, message, toolCallId }: WireWarning): void =>
    onWarning?.({ code, message: printableLine(message), ...(toolCallId !== undefined && { toolCallId }) })

/** Listens to the events of one call: warnings, and something else that `take` gets. */
function listen<E extends object>(
  candidates: Candidates,
  take: (event: Exclude<E, { warning: WireWarning }>) => void,
): (event: E | { warning: WireWarning }) => void {
  const warnOfFew = atMost(MOST_WARNINGS, warningTo(candidates))
  return (event) => {
    if ('warning' in event) warnOfFew(event.warning as WireWarning)
    else take(event as Exclude<E, { warning: WireWarning }>)
  }
}

/** What one call lists, limited so that a relay cannot fill the memory. A call that is sent again begins again. */
async function collected<E extends object>(
  candidates: Candidates,
  call: (options: {
    onEvent(event: E | { warning: WireWarning }): void
    onAgain(): void
  }) => Promise<unknown>,
  isAskedFor: (event: Exclude<E, { warning: WireWarning }>) => boolean = () => true,
): Promise<E[]> {
  let found: E[] = []
  let chars = 0
  await call({
    onEvent: listen<E>(candidates, (event) => {
      chars += JSON.stringify(event).length
      if (chars > 2 * MOST_LISTED_CHARS || !isAskedFor(event)) throw tooMuch()
      found.push(event)
    }),
    onAgain() {
      found = []
      chars = 0
    },
  })
  return found
}

/** The function, for so many calls. Further calls do nothing. */
function atMost<T>(most: number, take: (value: T) => void): (value: T) => void {
  let count = 0
  return (value) => {
    if (count++ < most) take(value)
  }
}

const tooMuch = (): AskError => new AskError('TOO_LARGE', 'The relay lists too much')

const unreadable = (toolCallId: string, cause: unknown): AskError =>
  new AskError('UNREACHABLE', 'This question cannot be read', { facts: { toolCallId }, cause })
