import {
  AskError,
  type Authenticate,
  type HostChannel,
  isMeantFor,
  parseAnswerFile,
  parseQuestionRecord,
  printableLine,
  type QuestionRecord,
  type QuestionState,
} from '@sandagent/core/internal'
import type { OwnChannel, OwnChannelOptions } from '@sandagent/sdk/internal'
import type { RelayClient } from '../connection/relay-client.ts'
import type { WireState, WireWarning } from '../protocol/channel-calls.ts'
import { fromWireError } from '../protocol/wire-errors.ts'
import { subscribeRemotely } from './remote-subscription.ts'

/** As much as a list of local files gives at most, in characters of open and of settled questions together. */
const MOST_LISTED_CHARS = 32 * 1024 * 1024

const MOST_RUNS = 1000

/** How many warnings of one call are passed on. */
const MOST_WARNINGS = 1000

/** The host's channel of a sandbox behind a relay. The relay works at the files, and the host checks what comes back. */
export function remoteChannel(client: RelayClient): OwnChannel {
  /** The keys of runs, as the latest reply had them. An answer is refused if they have changed. */
  const keyIdsByRun = new Map<string, readonly string[] | undefined>()
  /** The latest states of the subscriptions, so that an answer needs no look before it is written. */
  const followed = new Set<ReadonlyMap<string, WireState>>()

  const noteKeys = (record: QuestionRecord | undefined, keyIds: readonly string[] | undefined): void => {
    if (!record) return
    if (keyIdsByRun.size >= MOST_RUNS) keyIdsByRun.clear()
    keyIdsByRun.set(record.runId, keyIds)
  }

  return {
    async keysOfRun(runId) {
      if (keyIdsByRun.has(runId)) return keyIdsByRun.get(runId)
      const keyIds = await client.call('keysOfRun', { runId })
      return keyIds.length > 0 ? keyIds : undefined
    },

    create({ publicKeys, authenticate, onWarning }: OwnChannelOptions): HostChannel {
      const warn = ({ code, message, toolCallId }: WireWarning): void =>
        onWarning({
          code,
          message: printableLine(message),
          ...(toolCallId !== undefined && { toolCallId }),
        })
      const checked = (state: WireState, toolCallId?: string): Promise<QuestionState> =>
        checkedState(state, toolCallId, { authenticate, noteKeys })

      /** Listens to the events of one call: warnings, and something else that `take` gets. */
      const listen = <E extends object>(take: (event: Exclude<E, { warning: WireWarning }>) => void) => {
        const warnOfFew = atMost(MOST_WARNINGS, warn)
        return (event: E | { warning: WireWarning }): void => {
          if ('warning' in event) warnOfFew(event.warning as WireWarning)
          else take(event as Exclude<E, { warning: WireWarning }>)
        }
      }

      return {
        async questions({ unsettled = false } = {}) {
          let records: QuestionRecord[] = []
          const sum = limitedSum()
          const onEvent = listen<{ record: string }>(({ record }) => {
            sum.add(record)
            records.push(parseQuestionRecord(record))
          })
          const onAgain = (): void => {
            records = []
            sum.clear()
          }
          await client.call('questions', { keys: await publicKeys(), unsettled }, { onEvent, onAgain })
          return records
        },

        async states(records) {
          const found = new Map<number, WireState | Error>()
          const sum = limitedSum()
          const onEvent = listen<{ index: number; state: WireState } | { index: number; error: object }>(
            (event) => {
              if (event.index >= records.length) throw tooMuch()
              sum.add(event)
              const { index } = event
              found.set(index, 'state' in event ? event.state : fromWireError(event.error as never))
            },
          )
          const toolCallIds = records.map(({ toolCallId }) => toolCallId)
          const onAgain = (): void => {
            found.clear()
            sum.clear()
          }
          await client.call('states', { keys: await publicKeys(), toolCallIds }, { onEvent, onAgain })
          return Promise.all(
            toolCallIds.map(async (toolCallId, index) => {
              const state = found.get(index)
              if (state instanceof AskError) return state
              if (state instanceof Error || state === undefined) return unreadable(toolCallId, state)
              return checked(state, toolCallId)
            }),
          )
        },

        async read(toolCallId) {
          const onEvent = listen(() => {})
          const args = { keys: await publicKeys(), toolCallId }
          return checked(await client.call('question', args, { onEvent }), toolCallId)
        },

        async known(toolCallId) {
          for (const states of followed) {
            const state = states.get(toolCallId)
            if (state) return checked(state, toolCallId)
          }
          return null
        },

        async olderQuestions() {
          let states: WireState[] = []
          const sum = limitedSum()
          const onEvent = listen<{ state: WireState }>(({ state }) => {
            sum.add(state)
            states.push(state)
          })
          const onAgain = (): void => {
            states = []
            sum.clear()
          }
          await client.call('olderQuestions', { keys: await publicKeys() }, { onEvent, onAgain })
          return Promise.all(states.map((state) => checked(state)))
        },

        async write(answerFile, { expectedRevision, expectedRecord }) {
          const { toolCallId } = answerFile
          const runId = expectedRecord?.runId
          const hasKeys = runId !== undefined && keyIdsByRun.has(runId)
          const args = {
            keys: await publicKeys(),
            answerFile: JSON.stringify(answerFile),
            expectedRevision,
            expectedRecord,
            keyIds: hasKeys ? [...(keyIdsByRun.get(runId) ?? [])] : undefined,
          }
          const { record: text, keyIds } = await client.call('answer', args, { onEvent: listen(() => {}) })
          const record = text === undefined ? undefined : parseQuestionRecord(text, toolCallId)
          noteKeys(record, keyIds)
          return record
        },

        persist: async () => void (await client.call('persist', {})),

        subscribe: (signal, toolCallId) =>
          subscribeRemotely(
            client,
            { publicKeys, toolCallId, warn: atMost(MOST_WARNINGS, warn), checked, followed },
            signal,
          ),
      }
    },
  }
}

/** Checks a state as if its parts were files. @throws AskError `UNREACHABLE` for another question, `INVALID_FILE` */
async function checkedState(
  { toolCallId, record: recordText, answerFile: answerText, keyIds, ...facts }: WireState,
  expectedId: string | undefined,
  {
    authenticate,
    noteKeys,
  }: {
    authenticate: Authenticate
    noteKeys(record: QuestionRecord | undefined, keyIds: readonly string[] | undefined): void
  },
): Promise<QuestionState> {
  if (expectedId !== undefined && toolCallId !== expectedId)
    throw new AskError('UNREACHABLE', 'The relay answered for another question')
  const record = recordText === undefined ? undefined : parseQuestionRecord(recordText, toolCallId)
  noteKeys(record, keyIds)
  const given = answerText === undefined ? null : parseAnswerFile(answerText, toolCallId)
  const isMeant = given !== null && (!record || isMeantFor(given, record))
  const answerFile = isMeant && record ? await authenticate(given, record) : isMeant ? given : null
  return { toolCallId, ...(record && { record }), ...(answerFile && { answerFile }), ...facts }
}

/** Adds up what one call lists, so that a relay cannot fill the memory. `add` throws when that is too much. */
function limitedSum(): { add(listed: string | object): void; clear(): void } {
  let chars = 0
  return {
    add(listed) {
      chars += typeof listed === 'string' ? listed.length : JSON.stringify(listed).length
      if (chars > 2 * MOST_LISTED_CHARS) throw tooMuch()
    },
    clear() {
      chars = 0
    },
  }
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
