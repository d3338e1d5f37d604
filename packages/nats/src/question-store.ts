import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { AskError } from '@sandagent/core/internal'
import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import { listIn } from '@sandagent/fleet/internal'
import { FACTS_HEADER, factsHeaderOf } from './lib/record-facts.ts'
import { nameIn, type TextKind, textSubject } from './lib/subjects.ts'
import type { Service } from './service/service.ts'
import { changesOf } from './view/changes.ts'
import type { LiveView } from './view/live-view.ts'
import type { Half } from './view/stored-question.ts'
import type { View } from './view/view.ts'

/** How much room the beginning of the headers and the versions need at most, in bytes. */
const HEADER_BYTES = 192

/** The versions that must still be there. */
interface Expectation {
  expected: string | null
  /** Of an answer: the record that it answers. */
  asked?: { version: string } | null | undefined
}

/**
 * The questions of one namespace.
 *
 * @param pass a part of all its subjects
 * @param connect connects where that is not done. It throws an AskError `UNREACHABLE`
 */
export function questionStore(
  namespace: string,
  pass: string,
  connect: () => Promise<LiveView>,
): QuestionStore {
  const current = async (): Promise<View> => (await connect()).caughtUp()
  const write = async (
    toolCallId: string,
    kind: TextKind,
    text: string,
    { expected, asked }: Expectation,
    header: MsgHdrs,
  ): Promise<StoredQuestion | null> => {
    const live = await connect()
    const { service, names, view } = live
    nameIn(header, toolCallId)
    checkSize(text, header, service)
    const halfNow = (): Half | undefined => {
      const entry = view.find(namespace, toolCallId)
      return kind === 'q' ? entry?.record : entry?.answer
    }
    const isExpected = (): boolean =>
      live.isLive &&
      (halfNow()?.stored?.version ?? null) === expected &&
      (!asked || view.find(namespace, toolCallId)?.record.stored?.version === asked.version)
    if (!isExpected()) await live.caughtUp()
    if (!isExpected()) return null
    const subject = textSubject(names, namespace, pass, kind, toolCallId)
    const version = await live.write(subject, text, halfNow()?.version ?? '', header)
    if (version === null) return null
    // Somebody else may have replaced this text since then.
    return {
      ...view.question(namespace, toolCallId),
      [kind === 'q' ? 'record' : 'answer']: { text, version },
    }
  }
  return {
    // The view may be some milliseconds behind. A message that names an older version does not count, so a host need not pass
    // a barrier before it writes an answer.
    async latest(toolCallId) {
      const { isLive, view } = await connect()
      return isLive && view.find(namespace, toolCallId)?.record.stored
        ? view.question(namespace, toolCallId)
        : null
    },
    async read(toolCallIds) {
      const view = await current()
      return toolCallIds.map((id) => view.question(namespace, id))
    },
    writeRecord(toolCallId, text, { expected, facts }) {
      const header = headers()
      header.set(FACTS_HEADER, factsHeaderOf(facts))
      return write(toolCallId, 'q', text, { expected }, header)
    },
    writeAnswer: (toolCallId, text, { expected, asked }) =>
      write(toolCallId, 'a', text, { expected, asked }, headers()),
    list: listIn(namespace, async (options) => (await current()).list(options)),
    subscribe: (signal, options = {}) => changesOf(connect, namespace, signal, options),
  }
}

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
