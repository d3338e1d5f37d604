import {
  AskError,
  type BoundAnswerFile,
  type Clock,
  digestOf,
  type HostChannel,
  parseAnswerFile,
  type QuestionRecord,
  type QuestionState,
  sleep,
} from '@sandagent/core/internal'
import type { LocalSandbox } from '@sandagent/sdk/internal'
import { channelOf, keysOfRun, type SigningKeys, verifyingKeys } from '@sandagent/sdk/internal'
import type { HostKeys, WireState, WireWarning } from '../protocol/channel-calls.ts'
import { toWireError } from '../protocol/wire-errors.ts'
import { handlersOf } from './task.ts'

/** How many listed records are remembered until their states are asked for. */
const MOST_REMEMBERED = 5000

/** How long the receipt of a question that is closing is waited for here: so many times so many milliseconds. */
const MOST_LOOKS = 20
const LOOK_MS = 10

/** The host's work with questions, here at the files. */
export function channelHandlers(
  sandbox: LocalSandbox,
  clock: Clock,
  channelFor: typeof channelOf = channelOf,
) {
  let verifier: { name: string; signingKeys: SigningKeys } | null = null
  let listed = new Map<string, QuestionRecord>()

  /** The same object for the same keys: what was verified once is remembered by it. */
  const verifierOf = (keys: HostKeys): SigningKeys | null => {
    if (keys === null) return null
    const name = JSON.stringify(keys)
    if (verifier?.name !== name) verifier = { name, signingKeys: verifyingKeys(keys) }
    return verifier.signingKeys
  }

  const channel = (
    { keys }: { keys: HostKeys },
    { emit }: { emit(event: { warning: WireWarning }): Promise<void> },
  ): HostChannel =>
    channelFor(sandbox, {
      signingKeys: verifierOf(keys),
      onWarning: ({ code, message, toolCallId }) =>
        void emit({ warning: { code, message, ...(toolCallId !== undefined && { toolCallId }) } }),
      clock,
    })

  const keyIdsOf = async (record: QuestionRecord | undefined): Promise<{ keyIds?: string[] }> => {
    const keyIds = record && (await keysOfRun(sandbox, record.runId))
    return keyIds ? { keyIds: [...keyIds] } : {}
  }

  const wireState = async (state: QuestionState): Promise<WireState> => {
    const { toolCallId, record, answerFile, ...facts } = state
    return {
      toolCallId,
      record: record && JSON.stringify(record),
      answerFile: answerFile && JSON.stringify(answerFile),
      ...facts,
      ...(await keyIdsOf(record)),
    }
  }

  return handlersOf({
    async questions(args, task) {
      const records = await channel(args, task).questions({ unsettled: args.unsettled })
      listed = new Map(records.slice(0, MOST_REMEMBERED).map((record) => [record.toolCallId, record]))
      for (const record of records) await task.emit({ record: JSON.stringify(record) })
      return null
    },

    async states(args, task) {
      const host = channel(args, task)
      const known = args.toolCallIds.flatMap((toolCallId, index) => {
        const record = listed.get(toolCallId)
        return record ? [{ record, index }] : []
      })
      const found = await host.states(known.map(({ record }) => record))
      const places = new Map(known.map(({ index }, place) => [index, place]))
      for (const [index, toolCallId] of args.toolCallIds.entries()) {
        const place = places.get(index)
        const state = place === undefined ? await host.read(toolCallId).catch(asUnreachable) : found[place]
        if (state instanceof AskError) await task.emit({ index, error: toWireError(state) })
        else if (state) await task.emit({ index, state: await wireState(state) })
      }
      return null
    },

    question: async (args, task) => wireState(await channel(args, task).read(args.toolCallId)),

    async withoutRecord(args, task) {
      for (const state of await channel(args, task).withoutRecord())
        await task.emit({ state: await wireState(state) })
      return null
    },

    async answer(args, task) {
      const { expectedRevision, expectedRecord, keyIds } = args
      const host = channel(args, task)
      const answerFile = parseAnswerFile(args.answerFile) as BoundAnswerFile
      if (expectedRecord && keyIds !== undefined) {
        const now = (await keysOfRun(sandbox, expectedRecord.runId)) ?? []
        if (JSON.stringify(now) !== JSON.stringify(keyIds))
          throw new AskError('CONFLICT', 'The run was started again with other keys')
      }
      const write = async (): Promise<QuestionRecord | undefined> => {
        try {
          return await host.write(answerFile, { expectedRevision, expectedRecord })
        } catch (error) {
          if (!(task.again && error instanceof AskError && error.code === 'CONFLICT')) throw error
          // The reply to the first request was lost. The answer counts if it is the one that is there.
          const state = await host.read(answerFile.toolCallId)
          if (!state.answerFile || !isSameAnswer(state.answerFile as BoundAnswerFile, answerFile)) throw error
          return state.record
        }
      }
      let record = await write()
      // A runner that has just taken the answer settles its question at once. The host would have to ask for that.
      for (let looks = 0; record?.state === 'closing' && looks < MOST_LOOKS; looks++) {
        await sleep(clock, LOOK_MS, task.signal)
        record = (await host.read(answerFile.toolCallId)).record
      }
      return { record: record && JSON.stringify(record), ...(await keyIdsOf(record)) }
    },

    async persist() {
      await channelFor(sandbox, { signingKeys: null, clock }).persist()
      return null
    },

    async subscribe(args, task) {
      for await (const state of channel(args, task).subscribe(task.signal, args.toolCallId))
        await task.emit({ state: await wireState(state) })
      return null
    },

    keysOfRun: async ({ runId }) => [...((await keysOfRun(sandbox, runId)) ?? [])],
  })
}

/** A signature is made for one answer, and never made twice. */
const isSameAnswer = (a: BoundAnswerFile, b: BoundAnswerFile): boolean =>
  a.signature === undefined ? digestOf(a) === digestOf(b) : a.signature === b.signature

function asUnreachable(error: unknown): AskError {
  if (error instanceof AskError && error.code === 'UNREACHABLE') return error
  throw error
}
