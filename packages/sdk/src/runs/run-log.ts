import type { RunFiles } from '@sandagent/files'
import { complaintIn } from '../sandbox/programs/complaint.ts'

/** The last event of a UI message stream. */
export const DONE_EVENT = 'data: [DONE]'

const BLANK_LINE = '\n\n'
const LINE_FEED = 0x0a

/**
 * Cuts a stream of bytes into events, without the blank lines between them. An incomplete event is kept until its end. Each
 * character of an event stands for a byte (`latin1`), because long logs are not worth decoding only to be encoded again.
 */
export function createEventCutter(): (piece: Uint8Array) => string[] {
  let rest: Uint8Array[] = []
  return (piece) => {
    const joint = [rest.at(-1)?.at(-1), piece.at(0)]
    rest.push(piece)
    // The pieces are joined only when an event ends. Otherwise a long event would be copied again with each piece.
    if (!joint.every((byte) => byte === LINE_FEED) && !asBuffer(piece).includes(BLANK_LINE)) return []
    const bytes = Buffer.concat(rest)
    const end = bytes.lastIndexOf(BLANK_LINE)
    // A copy, because a part would keep the whole piece in memory.
    rest = [Buffer.from(bytes.subarray(end + BLANK_LINE.length))]
    return bytes.toString('latin1', 0, end).split(BLANK_LINE)
  }
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** How an agent ended its stream. */
export interface LogEnding {
  state: 'finished' | 'stopped' | 'failed'
  /** The reason that the agent gave. */
  reason?: string | undefined
}

/** How much of a log's end is read: enough for its last two events. */
const TAIL_BYTES = 64 * 1024

/** The end of a log. */
export async function readTail(
  files: RunFiles,
  path: string,
  bytes: number = TAIL_BYTES,
): Promise<Uint8Array> {
  const { size } = (await files.stat(path)) ?? { size: 0 }
  return (await files.readFrom(path, Math.max(0, size - bytes))) ?? new Uint8Array()
}

/** How the stream in a log ends; `null` while it has no end. */
export async function readEnding(files: RunFiles, path: string): Promise<LogEnding | null> {
  const events = createEventCutter()(await readTail(files, path))
  const done = events.lastIndexOf(DONE_EVENT)
  return done === -1 ? null : endingIn(events[done - 1] ?? '')
}

function endingIn(event: string): LogEnding {
  const { type, errorText } = chunkOf(event)
  if (type === 'abort') return { state: 'stopped' }
  if (type !== 'error') return { state: 'finished' }
  return { state: 'failed', reason: typeof errorText === 'string' ? errorText : undefined }
}

/** The chunk of a UI message stream in an event; an empty object for something else. */
export function chunkOf(event: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(Buffer.from(event, 'latin1').toString().slice('data: '.length)) }
  } catch {
    return {} // Cut off, or no chunk: any program may print into its stream.
  }
}

/** What the runner itself prints there: warnings, and at last the reason that its stream has too. */
const OF_RUNNER = /^sandagent: .*$/gm

/** Why a runner failed, by its error output in a log: `runner`, or by what its agent printed there: `agent`. */
export async function readComplaints(
  files: RunFiles,
  path: string,
): Promise<Record<'runner' | 'agent', string | undefined>> {
  const output = new TextDecoder().decode(await readTail(files, path))
  return { runner: complaintIn(output), agent: complaintIn(output.replace(OF_RUNNER, '')) }
}
