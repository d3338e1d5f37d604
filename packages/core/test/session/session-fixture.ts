import { createFakeClock, createToolParts, type FakeClock } from '@sandagent/testing'
import {
  type AnswerTransport,
  type AskSession,
  type AskSessionOptions,
  type AskStatus,
  createAskSession,
  type PageAnswer,
  type PresentPerson,
  type Question,
  type QuestionView,
  type StoredReply,
  type ToolPart,
} from '../../src/internal.ts'

interface Request {
  submission: PageAnswer
  resolve(stored?: StoredReply): void
  reject(error: unknown): void
}

/** A host in the test's hands: every request waits until the test lets it succeed or fail. */
export interface HeldTransport extends AnswerTransport {
  requests: Request[]
  /** How many pages subscribe. */
  subscribed: number
  show(view: QuestionView): void
  /** Says who else has the question open. */
  meet(people: readonly PresentPerson[]): void
}

function heldTransport(): HeldTransport {
  const subscribers = new Set<(view: QuestionView) => void>()
  const listeners = new Set<(people: readonly PresentPerson[]) => void>()
  const requests: Request[] = []
  return {
    requests,
    get subscribed() {
      return subscribers.size
    },
    show(view) {
      for (const subscriber of subscribers) subscriber(view)
    },
    meet(people) {
      for (const listener of listeners) listener(people)
    },
    send: (submission) =>
      new Promise((resolve, reject) => {
        requests.push({ submission, resolve: (stored = {}) => resolve(stored), reject })
      }),
    subscribe(_, onView, _onRefused, onPeople) {
      subscribers.add(onView)
      if (onPeople) listeners.add(onPeople)
      return () => subscribers.delete(onView)
    },
  }
}

export { FEATURES, LANGUAGE, LICENCE, NAME } from '@sandagent/fixtures/questions.ts'

export const viewOfPart = (part: ToolPart, view: Partial<QuestionView> = {}): QuestionView => ({
  toolCallId: part.toolCallId,
  kind: 'question',
  state: 'open',
  questions: (part.input as { questions: QuestionView['questions'] }).questions.map((question, index) => ({
    ...question,
    id: `q${index + 1}`,
  })),
  responses: {},
  revision: 0,
  declined: false,
  deadline: null,
  remainingMs: null,
  ...view,
})

/** A session that asks these questions, with the host and the clock in the test's hands. */
export function openSession(
  questions: Question[],
  options: Partial<AskSessionOptions> = {},
): {
  session: AskSession
  part: ToolPart
  transport: HeldTransport
  clock: FakeClock
} {
  const part = createToolParts(questions, { toolCallId: 'call-1' }).waiting()
  const transport = heldTransport()
  const clock = createFakeClock()
  const session = createAskSession(part, () => ({ transport, clock, ...options }))
  return { session, part, transport, clock }
}

/** The statuses that were sent to the host, in order. */
export const sent = ({ requests }: HeldTransport): string[] =>
  requests.map(({ submission }) => submission.status)

/** Lets a request succeed, and what waited for it go on. */
export async function succeed(transport: HeldTransport, index: number): Promise<void> {
  transport.requests[index]?.resolve({ revision: index + 1 })
  await settled()
}

/** Lets a request fail, and what waited for it go on. */
export async function failWith(transport: HeldTransport, index: number, error: unknown): Promise<void> {
  transport.requests[index]?.reject(error)
  await settled()
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** All statuses that there are. */
export const STATUSES = Object.keys({
  loading: true,
  streaming: true,
  waiting: true,
  saving: true,
  sending: true,
  retrying: true,
  voted: true,
  'not-allowed': true,
  sent: true,
  received: true,
  declined: true,
  expired: true,
  superseded: true,
  failed: true,
} satisfies Record<AskStatus, true>) as AskStatus[]
