import * as v from 'valibot'
import { isObject, own } from '../../lib/objects.ts'
import { jsonForPeople } from '../../lib/text/json-for-people.ts'
import { readRequest } from '../dialect.ts'

/** What a run of AG-UI 1.0 waits for. `RUN_FINISHED` carries it in its `outcome`. */
export interface Interrupt {
  id: string
  /** `tool_call`, `input_required`, `confirmation`, or any other text. */
  reason: string
  message?: string
  toolCallId?: string
  /** The JSON Schema of the `payload`. */
  responseSchema?: Record<string, unknown>
  /** ISO 8601 by convention; any text is allowed. */
  expiresAt?: string
  metadata?: Record<string, unknown>
}

/** The answer to one interrupt, in `resume` of the next run. */
export interface ResumeEntry {
  interruptId: string
  /** A refusal is an answer, too. `cancelled`: nobody decided. */
  status: 'resolved' | 'cancelled'
  payload?: unknown
  metadata?: Record<string, unknown>
}

/** Our key in the metadata of interrupts and of answers. */
export const OURS = 'sandagent'

const object = v.custom<Record<string, unknown>>(isObject, 'an object')

/** Without what is `null`: runtimes in other languages write that for what is absent. */
const withoutNulls = v.pipe(
  object,
  v.transform((value) => Object.fromEntries(Object.entries(value).filter(([, entry]) => entry != null))),
)

const interruptSchema: v.GenericSchema<unknown, Interrupt> = v.pipe(
  withoutNulls,
  v.object({
    id: v.string(),
    reason: v.string(),
    message: v.exactOptional(v.string()),
    toolCallId: v.exactOptional(v.string()),
    responseSchema: v.exactOptional(object),
    expiresAt: v.exactOptional(v.string()),
    metadata: v.exactOptional(object),
  }),
)

export const resumeSchema: v.GenericSchema<unknown, ResumeEntry> = v.pipe(
  withoutNulls,
  v.object({
    interruptId: v.string(),
    status: v.picklist(['resolved', 'cancelled']),
    payload: v.exactOptional(v.unknown()),
    metadata: v.exactOptional(object),
  }),
)

/** @throws AskError `INVALID_QUESTIONS` with every fault */
export const readInterrupt = (input: unknown): Interrupt => readRequest(interruptSchema, input)

/** What a host or a runner of ours says there. */
export function oursIn({ metadata = {} }: Pick<Interrupt, 'metadata'>): Readonly<Record<string, unknown>> {
  const ours = own(metadata, OURS)
  return isObject(ours) ? ours : {}
}

/** What a person reads. Without a message, it is whatever the agent says of itself. */
export const messageOf = (interrupt: Interrupt): string =>
  interrupt.message?.trim() ? interrupt.message : messageWithMetadata(interrupt)

/** The same, and all that the agent adds to it. */
export function messageWithMetadata({ message = '', reason, metadata = {} }: Interrupt): string {
  const said = message.trim() ? message : reason.trim() || 'The agent waits for an answer'
  const { [OURS]: _, ...theirs } = metadata
  return Object.keys(theirs).length > 0 ? `${said}\n\n${codeBlock(theirs)}` : said
}

/** JSON as a code block that nothing in it can end. */
export const codeBlock = (value: unknown): string => jsonForPeople(value).replace(/^/gm, '    ')
