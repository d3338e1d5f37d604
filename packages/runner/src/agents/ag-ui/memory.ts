import type { Interrupt, Message } from '@ag-ui/client'
import { DEFAULT_STATE_FOLDER, digestOf, isObject, parseJson, parseWith } from '@sandagent/core/internal'
import { createLocalFiles } from '@sandagent/files'
import * as v from 'valibot'
import type { AgentRun } from '../../run/agent.ts'

/** Where a run stands that waits for answers: all that its agent needs to go on. */
export interface Pause {
  /** How many requests were sent before. */
  round: number
  /** The interrupts, and the ids of their questions. */
  asks: { interrupt: Interrupt; toolCallId: string }[]
  messages: Message[]
  state: unknown
}

/** What a runner that is started again finds. */
export interface PauseMemory {
  load(): Promise<Pause | null>
  save(pause: Pause): Promise<void>
  forget(): Promise<void>
}

const pauseSchema = v.object({
  round: v.number(),
  asks: v.array(v.object({ interrupt: v.custom<Interrupt>(isObject), toolCallId: v.string() })),
  messages: v.array(v.custom<Message>(isObject)),
  state: v.unknown(),
})

/** Keeps the pause in a file of the state folder: over AG-UI, nobody can ask an agent what it waits for. */
export function createPauseMemory(
  { workdir, runId }: AgentRun,
  stateFolder: string = DEFAULT_STATE_FOLDER,
): PauseMemory {
  const files = createLocalFiles(workdir)
  const path = `${stateFolder}/ag-ui/${digestOf(runId).slice(0, 32)}.json`
  return {
    async load() {
      const pieces: Uint8Array[] = []
      for (let offset = 0; ; offset += pieces.at(-1)?.length ?? 0) {
        const piece = await files.readFrom(path, offset)
        if (piece === null) return null
        if (piece.length === 0) break
        pieces.push(piece)
      }
      const what = `The file ${path} of this run cannot be read. Remove it to begin the run again`
      const json = parseJson(Buffer.concat(pieces).toString(), 'INVALID_FILE', what)
      return parseWith(pauseSchema, json, 'INVALID_FILE', what)
    },
    save: (pause) => files.writeAtomic(path, JSON.stringify(pause)),
    forget: () => files.remove(path),
  }
}
