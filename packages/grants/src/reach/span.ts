import { isoTime } from '@sandagent/core/internal'
import * as v from 'valibot'

/** How long a grant lasts: some minutes, until its run ends, or until a person takes it back. */
export type Span =
  | { kind: 'time'; until: string }
  | { kind: 'run'; runId: string; process?: string }
  | { kind: 'folder' }

export const spanSchema: v.GenericSchema<unknown, Span> = v.variant('kind', [
  v.object({ kind: v.literal('time'), until: isoTime }),
  v.object({ kind: v.literal('run'), runId: v.string(), process: v.exactOptional(v.string()) }),
  v.object({ kind: v.literal('folder') }),
])

/** How long a grant for some minutes lasts. */
const MINUTES = 10

/** The run of a question. A run that was started again is another process. */
interface Asking {
  runId: string
  process?: string | undefined
}

/** The span that begins now. */
export function spanFrom(kind: Span['kind'], { runId, process }: Asking, now: number): Span {
  if (kind === 'time') return { kind, until: new Date(now + MINUTES * 60_000).toISOString() }
  if (kind === 'folder') return { kind }
  return { kind, runId, ...(process !== undefined && { process }) }
}

/** How long a scope would last, for the person who gives it. */
export const OFFERED_SPANS: Readonly<Record<Span['kind'], string>> = {
  time: `for ${MINUTES} minutes`,
  run: 'until this run ends',
  folder: 'in this folder, until somebody takes it back',
}

/** How long a grant lasts, for those who read it later. */
export const spanText = (span: Span): string =>
  span.kind === 'time'
    ? `until ${span.until.slice(0, 16).replace('T', ' ')} UTC`
    : OFFERED_SPANS[span.kind].replace('this run', 'its run')

export const isOfRun = (span: Span, { runId, process }: Asking): boolean =>
  span.kind !== 'run' || (span.runId === runId && span.process === process)
