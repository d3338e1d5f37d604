import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AskStatus, isEditableIn } from '../../src/session/ask-status.ts'
import { type PageWalk, walkOnPage } from './page-walk.ts'
import { STATUSES } from './session-fixture.ts'

/** What must not be, whatever happened before. */
const FAULTS: [string, (page: PageWalk, status: AskStatus) => boolean][] = [
  ['the status is not documented', (_, status) => !STATUSES.includes(status)],
  [
    'something that was entered is lost',
    (page) => [...page.unstored()].some(([id, response]) => page.session().entries[id] !== response),
  ],
  [
    'entries that the host does not have count as saved',
    (page) => page.session().draft.kind === 'clean' && page.unstored().size > 0,
  ],
  [
    'a draft is saved beside or after an answer that has all of it',
    (page) => {
      const { draft, answer } = page.session()
      const hasAnswer = ['sending', 'retrying', 'stored', 'voted', 'superseded', 'expired'].includes(
        answer.kind,
      )
      return hasAnswer && (draft.kind === 'saving' || draft.kind === 'failed')
    },
  ],
  [
    'entries of an earlier page wait for the word of a host that has spoken',
    (page) => !!page.session().draft.kept && !!page.session().view,
  ],
  [
    'an answer is sent where another one counts',
    (page) => !!page.session().answer.intent && !!page.session().view?.byOther,
  ],
  [
    'a request counts as on its way after its reply',
    ({ session, inFlight }) => !!session().request && !inFlight().includes(session().request as never),
  ],
  [
    'the page says that it sends, and has nothing to send',
    (page, status) => isSubmitting(status) && page.session().answer.kind !== status,
  ],
  [
    'the person may change an answer that is sent',
    (page, status) => isEditableIn(status) && !!page.session().answer.intent,
  ],
  [
    'a failure has no error, or a success has one',
    (page, status) => {
      const { draft, answer } = page.session()
      const hasFailed = (draft.error ?? answer.error) !== undefined
      if (status === 'failed' || status === 'retrying') return !hasFailed
      return (status === 'sending' || status === 'saving' || status === 'waiting') && hasFailed
    },
  ],
]

const isSubmitting = (status: AskStatus): boolean => status === 'sending' || status === 'retrying'

it('are legal after any events, and lose nothing that was entered', () => {
  const seen = new Set<AskStatus>()
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const page = walkOnPage(numbersFrom(seed))
      for (let step = 1; step <= 12; step++) {
        page.step()
        const status = page.status()
        seen.add(status)
        const fault = FAULTS.find(([, isFault]) => isFault(page, status))
        if (fault)
          throw new Error(`Step ${step}: ${fault[0]}\n${status}\n${JSON.stringify(page.session(), null, 1)}`)
      }
    }),
    { numRuns: 100_000 },
  )
  // These pages have the message of the question.
  expect(STATUSES.filter((status) => !seen.has(status))).toEqual(['loading'])
})

/** Numbers at random, the same for the same seed: mulberry32. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}
