import { createFakeClock, createToolParts, type FakeClock } from '@sandagent/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { submittedResponses } from '../../src/answer/draft.ts'
import {
  type AnswerTransport,
  AskError,
  type AskSession,
  createAskSession,
  type PageAnswer,
  type QuestionView,
  type Responses,
} from '../../src/internal.ts'
import { LANGUAGE, LICENCE } from './session-fixture.ts'

const part = createToolParts([LANGUAGE, LICENCE]).waiting()
const questions = [LANGUAGE, LICENCE].map((question, index) => ({ ...question, id: `q${index + 1}` }))

/** What becomes of a request: it is stored or not, and the page hears of it or not. */
type Fate = 'stored' | 'reply lost' | 'lost' | 'server down' | 'too many'

type Step =
  | ['pick', 'q1' | 'q2', string]
  | ['type', string]
  | ['submit' | 'undo' | 'retry' | 'decline' | 'hasten' | 'reload' | 'look']
  | ['wait', number]
  | ['end', Fate]

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Step>(['pick', 'q1', 'Python'], ['pick', 'q1', 'TypeScript']) },
  { weight: 4, arbitrary: fc.constantFrom<Step>(['pick', 'q2', 'MIT'], ['pick', 'q2', 'None']) },
  { weight: 1, arbitrary: fc.constantFrom<Step>(['type', 'Zig'], ['decline']) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Step>(['submit'], ['undo'], ['retry'], ['hasten'], ['reload'], ['look']),
  },
  { weight: 4, arbitrary: fc.constantFrom(100, 2500, 30_000).map((ms): Step => ['wait', ms]) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom<Fate>('stored', 'reply lost', 'lost', 'server down', 'too many')
      .map((fate): Step => ['end', fate]),
  },
)

/** A host that stores one final answer, and takes the same one again. */
function storingHost() {
  const waiting: {
    answer: PageAnswer
    resolve(stored: { revision: number }): void
    reject(error: unknown): void
  }[] = []
  let final: PageAnswer | undefined
  let revision = 0
  let draft: Responses = {}
  const view = (): QuestionView => ({
    toolCallId: part.toolCallId,
    kind: 'question',
    state: final ? 'sent' : 'open',
    questions,
    responses: final?.responses ?? draft,
    revision,
    declined: final?.status === 'declined',
    deadline: null,
    remainingMs: null,
    ...(final && { byOther: false }),
  })
  const store = (answer: PageAnswer): void => {
    if (final && contentOf(final) !== contentOf(answer))
      throw new AskError('CONFLICT', 'Answered already', { facts: { question: view() } })
    if (!final) revision++
    if (!final && answer.status === 'pending') draft = answer.responses
    else final ??= answer
  }
  return {
    view,
    final: () => final,
    isBusy: () => waiting.length > 0,
    send: (answer: PageAnswer) =>
      new Promise<{ revision: number }>((resolve, reject) => {
        waiting.push({ answer, resolve, reject })
      }),
    async end(fate: Fate) {
      const request = waiting.shift()
      if (!request) return
      try {
        if (fate === 'stored' || fate === 'reply lost') store(request.answer)
        const facts = fate === 'too many' ? { status: 429, retryAfterMs: 5000 } : {}
        if (fate === 'stored') request.resolve({ revision })
        else
          request.reject(new AskError(fate === 'too many' ? 'RATE_LIMITED' : 'UNREACHABLE', fate, { facts }))
      } catch (error) {
        request.reject(fate === 'stored' ? error : new AskError('UNREACHABLE', fate))
      }
      await new Promise(setImmediate)
    },
  }
}

const contentOf = ({
  status,
  responses,
  reason,
}: Pick<PageAnswer, 'status' | 'responses' | 'reason'>): string =>
  JSON.stringify([status, status === 'declined' ? {} : responses, reason])

/** One person at one tab, which checks that nothing is sent but what the person means. */
function person(host: ReturnType<typeof storingHost>, clock: FakeClock) {
  let kept: string | undefined
  let meant: string | undefined
  let session: AskSession
  let show = (_view: QuestionView): void => {}
  let stop = (): void => {}
  const transport: AnswerTransport = {
    send(answer) {
      if (answer.status !== 'pending') expect(contentOf(answer)).toBe(meant)
      return host.send(answer)
    },
    subscribe(_, onView) {
      show = onView
      onView(host.view())
      return () => {
        show = () => {}
      }
    },
  }
  const drafts = {
    read: () => (kept === undefined ? undefined : JSON.parse(kept)),
    write(draft: unknown) {
      kept = draft ? JSON.stringify(draft) : undefined
    },
  }
  const open = (): void => {
    session = createAskSession(part, () => ({ transport, drafts, clock }))
    stop = session.start()
  }
  const means = (status: 'completed' | 'declined'): void => {
    meant = contentOf({ status, responses: submittedResponses(questions, session.getSnapshot().entered) })
  }
  const isCounting = (): boolean => session.getSnapshot().sendsAt !== null
  open()
  return {
    snapshot: () => session.getSnapshot(),
    meant: () => meant,
    act([kind, ...given]: Step) {
      const { isEditable, status, unanswered, sendsAt } = session.getSnapshot()
      if (kind === 'pick') session.select(given[0] as string, given[1] as string)
      if (kind === 'type') session.setFreeText('q1', given[0] as string)
      if (kind === 'retry') session.retry()
      if (kind === 'hasten') session.hasten()
      if (kind === 'look') show(host.view())
      if (kind === 'submit') {
        if (isEditable && unanswered.length === 0) means('completed')
        session.submit()
      }
      if (kind === 'decline') {
        if (isEditable) means('declined')
        session.decline()
      }
      if (kind === 'undo') {
        if (status === 'retrying') meant = undefined
        session.undo()
      }
      if (kind === 'wait') {
        if (sendsAt !== null && sendsAt <= clock.now() + (given[0] as number)) means('completed')
        clock.advance(given[0] as number)
      }
      if (kind === 'reload') {
        if (isCounting()) means('completed')
        session.leave()
        stop()
        open()
      }
    },
  }
}

it('sends what the person means, nothing else, and shows as sent what the host has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = createFakeClock()
      const host = storingHost()
      const { act, snapshot, meant } = person(host, clock)
      for (const step of steps) {
        if (step[0] === 'end') await host.end(step[1])
        else act(step)
        const { status, responses } = snapshot()
        if (status !== 'sent') continue
        expect(host.final()).toBeDefined()
        expect(responses).toEqual(host.final()?.responses)
      }
      // The network is well again.
      for (let round = 0; round < 20; round++) {
        act(['wait', 30_000])
        await host.end('stored')
      }
      expect(host.isBusy()).toBe(false)
      act(['look'])
      const final = host.final()
      expect(snapshot().status).toBe(final ? 'sent' : 'waiting')
      if (meant()) expect(final).toBeDefined()
      if (final) expect(snapshot().responses).toEqual(final.responses)
    }),
    {
      numRuns: 500,
      examples: [
        [[['decline'], ['end', 'reply lost'], ['undo']]],
        [[['pick', 'q1', 'Python'], ['pick', 'q2', 'None'], ['submit'], ['reload']]],
      ],
    },
  )
})
