import { randomUUID } from 'node:crypto'
import {
  type ApprovalSubject,
  ASK_TOOL,
  type Asker,
  askerSchema,
  checkOptions,
  filledText,
  invalid,
  isObject,
  type OpenRecord,
  type OptionNames,
  parseQuestions,
  parseWith,
  type Question,
  subjectSchema,
  type TimeoutMs,
  timeoutSchema,
} from '@sandagent/core/internal'
import * as v from 'valibot'

/** What an agent asks. */
export interface AskRequest {
  /** The tool call that asks. A second request with the same id adopts the first question. */
  toolCallId: string
  /** Default `AskUserQuestion`. */
  toolName?: string | undefined
  /** `approval` asks for permission to use another tool. Default `question`. */
  kind?: 'question' | 'approval' | undefined
  questions: readonly Question[]
  /** Only with `kind: 'approval'`: the tool call that needs permission. */
  subject?: ApprovalSubject | undefined
  /** The subagent that asks. */
  asker?: Asker | undefined
  /**
   * A person may ask back in place of an answer. The outcome is `declined` then, with `asksBack` and their question as
   * `reason`: whoever asks answers it in words and asks again, under another `toolCallId`. Default false.
   */
  takesQuestions?: boolean | undefined
  /**
   * `false`: whoever asks goes on, with the default of each question until the answer comes. Its outcome says whether that
   * held. Not for an approval. Default true.
   */
  blocking?: boolean | undefined
  /**
   * Whoever asks looks for the answer later, by `toolCallId`, and from any process: they ask the same again. People are told
   * so when the process has ended. Not for an approval. Default false: its run has to be started again.
   */
  comesBack?: boolean | undefined
  runId: string
}

const NAMES: OptionNames<AskRequest> = {
  toolCallId: true,
  toolName: true,
  kind: true,
  questions: true,
  subject: true,
  asker: true,
  takesQuestions: [true, false],
  blocking: [true, false],
  comesBack: [true, false],
  runId: true,
}

const callSchema = v.object({
  toolCallId: filledText,
  toolName: filledText,
  kind: v.picklist(['question', 'approval']),
  subject: v.exactOptional(subjectSchema),
  asker: v.exactOptional(askerSchema),
  takesQuestions: v.exactOptional(v.literal(true)),
  blocking: v.exactOptional(v.literal(false)),
  comesBack: v.exactOptional(v.literal(true)),
  runId: v.string(),
  timeoutMs: timeoutSchema,
})

/** @throws AskError `INVALID_REQUEST` or `INVALID_QUESTIONS` with every fault. */
export function openRecordOf(request: AskRequest, timeoutMs: TimeoutMs, now: number): OpenRecord {
  checkOptions('askUser: its request', request, NAMES)
  const { toolCallId, toolName = ASK_TOOL.name, kind = 'question', subject, asker, runId } = request
  const facts = {
    ...(subject && { subject: withoutUndefined(subject) }),
    ...(asker && { asker: withoutUndefined(asker) }),
    ...(request.takesQuestions && { takesQuestions: true as const }),
    ...(request.blocking === false && { blocking: request.blocking }),
    ...(request.comesBack && { comesBack: true as const }),
  }
  if (kind === 'approval' && facts.blocking === false)
    throw invalid('INVALID_REQUEST', 'This cannot be asked', [
      { path: 'blocking', expected: 'true, or nothing: nobody goes on with a call before it is allowed' },
    ])
  if (kind === 'approval' && facts.comesBack)
    throw invalid('INVALID_REQUEST', 'This cannot be asked', [
      { path: 'comesBack', expected: 'false, or nothing: a call waits for its permission where it runs' },
    ])
  const call = { toolCallId, toolName, kind, runId, timeoutMs, ...facts }
  return {
    version: 1,
    ...parseWith(callSchema, call, 'INVALID_REQUEST', 'This cannot be asked'),
    questions: parseQuestions(request.questions),
    askedAt: new Date(now).toISOString(),
    deadline: timeoutMs === 'never' ? null : new Date(now + timeoutMs).toISOString(),
    nonce: randomUUID(),
    state: 'open',
  }
}

/** An object without its `undefined` values: a record is JSON. Anything else stays as it is, and the schema refuses it. */
const withoutUndefined = (given: unknown): unknown =>
  isObject(given)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    : given
