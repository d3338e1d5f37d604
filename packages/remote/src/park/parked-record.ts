import { isoTime, parseJson, parseWith } from '@sandagent/core/internal'
import type { RunFiles } from '@sandagent/files'
import * as v from 'valibot'

const NAME = 'parked.json'

/** What survives a restart of the host. It is there unless the sandbox is awake and its runs go on. */
export interface ParkedRecord {
  version: 1
  /** `restarting`: it is awake, and runs that its sleep has ended are not all started again. */
  state: 'asleep' | 'restarting' | 'gone'
  /** ISO 8601. */
  at: string
  /** The processes that ran when the sandbox fell asleep. */
  processes: string[]
  /** When its first question ends, in milliseconds since 1970; `null` for never. Drafts that come later do not move it. */
  deadline: number | null
}

const parkedSchema: v.GenericSchema<unknown, ParkedRecord> = v.object({
  version: v.literal(1),
  state: v.picklist(['asleep', 'restarting', 'gone']),
  at: isoTime,
  processes: v.array(v.string()),
  deadline: v.nullable(v.number()),
})

/** @throws AskError `INVALID_FILE` */
export async function readParked(files: RunFiles): Promise<ParkedRecord | null> {
  const what = 'This is no record of a parked sandbox'
  const text = await files.read(NAME)
  return text === null
    ? null
    : parseWith(parkedSchema, parseJson(text, 'INVALID_FILE', what), 'INVALID_FILE', what)
}

export const writeParked = (files: RunFiles, record: ParkedRecord | null): Promise<void> =>
  record ? files.writeAtomic(NAME, JSON.stringify(record, null, 2)) : files.remove(NAME)
