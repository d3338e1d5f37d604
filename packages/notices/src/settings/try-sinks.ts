import { randomBytes } from 'node:crypto'
import type { QuestionView } from '@sandagent/core'
import type { Notice } from '../notice.ts'
import { planOf } from '../rules/plan.ts'
import { reasonOf } from '../start/send-notice.ts'
import type { NoticeSettings } from './settings.ts'

/** What came of one notice of a trial. */
export interface TriedSink {
  person: string
  sink: string
  /** Absent if it was sent. */
  failure?: string
}

/** Sends one notice to everybody by every sink, and closes it. Nobody waits for an answer. */
export async function* trySinks(
  { people, sinks }: NoticeSettings,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<TriedSink> {
  const toolCallId = `test-${randomBytes(8).toString('hex')}`
  const question: QuestionView = {
    toolCallId,
    kind: 'question',
    state: 'open',
    questions: [{ id: 'q1', question: 'This is a test of notices. Nobody waits for an answer.' }],
    responses: {},
    revision: 0,
    declined: false,
    deadline: null,
    remainingMs: null,
  }
  const asked = { sandboxId: 'test', sandboxName: 'a test of notices', question }
  for (const { person, sink: name } of planOf(asked, { people })) {
    const id = randomBytes(16).toString('hex')
    const notice: Notice = { ...asked, id, toolCallId, person, isTextAllowed: true }
    const sink = sinks[name]
    try {
      const message = await sink?.send(notice, { signal })
      await sink?.settle?.(notice, message, { state: 'aborted' }, { signal })
      yield { person: person.name, sink: name }
    } catch (error) {
      yield { person: person.name, sink: name, failure: reasonOf(error) }
    }
  }
}
