import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { AskError, sleep } from '@sandagent/core/internal'
import type { QuestionStore, StoredQuestion, StoredText } from '@sandagent/store'
import { FACTS_HEADER, factsHeaderOf } from './lib/record-facts.ts'
import { type BucketNames, nameIn, type TextKind, textSubject } from './lib/subjects.ts'
import { lastMessage } from './service/messages.ts'
import { type Service, unreachable } from './service/service.ts'
import { changesOf } from './view/changes.ts'
import type { StoreParts } from './view/store-parts.ts'
import type { Half } from './view/stored-question.ts'

/** How much room the beginning of the headers and the expected sequence need at most, in bytes. */
const HEADER_BYTES = 128

/** How often a write is tried again while the version is still the expected one. */
const TRIES = 5

export interface NatsQuestionStoreOptions {
  namespace: string
  /** The pass that subjects of the namespace carry. */
  pass: string
  /** Connects where that is not done. @throws AskError `UNREACHABLE` */
  parts(): Promise<StoreParts>
}

/** The questions of one namespace. */
export function questionStore({ namespace, pass, parts }: NatsQuestionStoreOptions): QuestionStore {
  const write = async (
    toolCallId: string,
    kind: TextKind,
    text: string,
    expected: string | null,
    header: MsgHdrs,
  ): Promise<StoredQuestion | null> => {
    const { service, names, view, live } = await parts()
    nameIn(header, toolCallId)
    checkSize(text, header, service)
    const subjectOf = (which: TextKind): string => textSubject(names, namespace, pass, which, toolCallId)
    const subject = subjectOf(kind)
    const halfNow = (): Half | undefined => {
      const entry = view.find(namespace, toolCallId)
      return kind === 'q' ? entry?.record : entry?.answer
    }
    for (let tries = 0; tries < TRIES; tries++) {
      // What was swept leaves an empty text for a while. The view may not know that this is gone too.
      const trace = tries % 2 ? 0 : (halfNow()?.sequence ?? 0)
      const last = expected ?? (halfNow()?.stored ? 0 : trace)
      header.set('Nats-Expected-Last-Subject-Sequence', String(last))
      const sequence = await live.publish(subject, text, { headers: header }).catch((error: unknown) => {
        throw unreachable('Whether it was stored is not known', error)
      })
      if (sequence !== null) {
        await live.reached(sequence)
        // Somebody else may have replaced this text since then.
        const written = { text, version: String(sequence) }
        const shown = view.question(namespace, toolCallId)
        if (kind === 'q') return { ...shown, record: written }
        return { ...shown, record: await recordOfLeader(service, names, subjectOf('q')), answer: written }
      }
      await live.caughtUp()
      if (versionOf(halfNow()?.stored) !== expected) return null
      if (tries > 0) await sleep(service.clock, 20 * tries)
    }
    return null
  }
  return {
    async read(toolCallIds) {
      const { view, live } = await parts()
      await live.caughtUp()
      return toolCallIds.map((id) => view.question(namespace, id))
    },
    writeRecord(toolCallId, text, { expected, facts }) {
      const header = headers()
      header.set(FACTS_HEADER, factsHeaderOf(facts))
      return write(toolCallId, 'q', text, expected, header)
    },
    writeAnswer: (toolCallId, text, { expected }) => write(toolCallId, 'a', text, expected, headers()),
    async list(options = {}) {
      const { view, live } = await parts()
      await live.caughtUp()
      return view.list(namespace, options)
    },
    subscribe: (signal, options = {}) => changesOf(parts, namespace, signal, options),
  }
}

/**
 * The record as the stream’s leader has it. Whether a question was closing decides what the person is told, and a view of
 * another server may lack the last change.
 */
async function recordOfLeader(
  service: Service,
  { stream }: BucketNames,
  subject: string,
): Promise<StoredText | null> {
  const found = await lastMessage(service, stream, subject).catch((error: unknown) => {
    throw unreachable('Whether the answer came in time is not known', error)
  })
  return found && found.data.length > 0
    ? { text: found.data.toString(), version: String(found.sequence) }
    : null
}

const versionOf = (stored: StoredText | null | undefined): string | null => stored?.version ?? null

function checkSize(text: string, header: MsgHdrs, { connection }: Service): void {
  const lines = header.keys().map((key) => `${key}: ${header.get(key)}\r\n`)
  const room = HEADER_BYTES + Buffer.byteLength(lines.join(''))
  const most = Math.max(0, (connection.info?.max_payload ?? 1_048_576) - room)
  if (Buffer.byteLength(text) <= most) return
  throw new AskError(
    'TOO_LARGE',
    `NATS takes texts up to ${most} bytes. Raise max_payload in the configuration of its servers`,
    { facts: { maxBytes: most } },
  )
}
