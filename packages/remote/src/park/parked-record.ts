import { isoTime, parseJson, parseWith } from '@sandagent/core/internal'
import type { RunFiles } from '@sandagent/files'
import * as v from 'valibot'

const NAME = 'parked.json'

/** What survives a restart of the host. It is there unless the sandbox is awake and its runs go on. */
const parkedSchema = v.object({
  version: v.literal(1),
  /** `restarting`: it is awake, and runs that its sleep has ended are not all started again. */
  state: v.picklist(['asleep', 'restarting', 'gone']),
  at: isoTime,
  /** The processes that ran when the sandbox fell asleep. */
  processes: v.array(v.string()),
  /** When its first question ends, in milliseconds since 1970; `null` for never. Drafts that come later do not move it. */
  deadline: v.nullable(v.number()),
})
export type ParkedRecord = v.InferOutput<typeof parkedSchema>

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
