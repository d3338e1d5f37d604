import { createFakeClock, createToolParts } from '@sandagent/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AskError, createAskSession, type PageAnswer } from '../../src/internal.ts'
import { FEATURES, LANGUAGE, NAME } from './session-fixture.ts'

/** What happens next: the person does something, time passes, or the host's latest request ends. */
type Step =
  | ['pick', string, string]
  | ['type', string]
  | ['wait']
  | ['retry']
  | ['submit']
  | ['reply', 'stored' | 'refused' | 'reply lost']

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>(
    ['pick', 'q1', 'TypeScript'],
    ['pick', 'q1', 'Python'],
    ['pick', 'q2', 'Tests'],
    ['pick', 'q2', 'README, with usage'],
  ),
  fc.string({ minLength: 1, maxLength: 3 }).map((text): Step => ['type', text]),
  fc.constantFrom<Step>(['wait'], ['retry'], ['submit']),
  fc
    .constantFrom('stored' as const, 'stored' as const, 'refused' as const, 'reply lost' as const)
    .map((how): Step => ['reply', how]),
)

/** A host that takes its time, and whose replies may get lost after it has stored what it got. */
function slowHost() {
  const inFlight: { submission: PageAnswer; end(how: 'stored' | 'refused' | 'reply lost'): void }[] = []
  const stored: PageAnswer[] = []
  let most = 0
  const send = (submission: PageAnswer): Promise<{ revision: number }> =>
    new Promise((resolve, reject) => {
      inFlight.push({
        submission,
        end(how) {
          if (how !== 'refused') stored.push(submission)
          if (how === 'stored') resolve({ revision: stored.length })
          else reject(new AskError('UNREACHABLE', how))
        },
      })
      most = Math.max(most, inFlight.length)
    })
  return { send, inFlight, stored, most: () => most }
}

it('lets no entry overtake another, whatever the delays and failures, and loses none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = createFakeClock()
      const host = slowHost()
      const part = createToolParts([LANGUAGE, FEATURES, NAME]).waiting()
      const session = createAskSession(part, () => ({ transport: { send: host.send }, clock }))
      const reply = async (how: 'stored' | 'refused' | 'reply lost'): Promise<void> => {
        host.inFlight.shift()?.end(how)
        await new Promise(setImmediate)
      }
      for (const [kind, ...given] of steps) {
        if (kind === 'pick') session.select(given[0] as string, given[1] as string)
        if (kind === 'type') session.setFreeText('q3', given[0] as string)
        if (kind === 'wait') clock.advance(300)
        if (kind === 'retry') session.retry()
        if (kind === 'submit') session.submit()
        if (kind === 'reply') await reply(given[0] as 'stored')
        expect(session.getSnapshot().status).not.toBe('superseded')
      }
      // The network is well again, and the person tries again where the page says that something failed.
      for (let round = 0; round < 10; round++) {
        clock.advance(300)
        session.retry()
        await reply('stored')
      }
      expect(host.most()).toBeLessThanOrEqual(1)
      const { entered, status } = session.getSnapshot()
      expect(['waiting', 'sent']).toContain(status)
      const last = host.stored.at(-1)
      if (status === 'sent') expect(last?.status).toBe('completed')
      else expect(last?.responses ?? {}).toEqual(entered)
    }),
    { numRuns: 200 },
  )
})
