import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { type Accident, type Act, accident, act, Hands, keepLog, QUESTIONS } from './gestures.ts'

/** For each question: what happens without being meant, then the act that picks. */
type Story = readonly (readonly [accidents: Accident[], act: Act])[]

const stories = fc.tuple(
  fc.tuple(fc.array(accident, { maxLength: 5 }), act),
  fc.tuple(fc.array(accident, { maxLength: 5 }).map(withoutReloads), act),
)

/** A reload begins with the first question again. */
function withoutReloads(accidents: Accident[]): Accident[] {
  return accidents.filter((one) => one.do !== 'arrive')
}

/**
 * Tries random accidents and acts, and expects that only the acts count. A failure prints its seed.
 *
 * @param limitMs after this time it tries no more
 */
export async function expectNoAccidentalSends(
  browser: Browser,
  url: string,
  { numRuns, limitMs }: { numRuns: number; limitMs: number },
): Promise<void> {
  const address = `${url}/gallery?${new URLSearchParams({ questions: JSON.stringify(QUESTIONS), state: 'Waiting' })}`
  const end = performance.now() + limitMs
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      // An interruption by fast-check fails where no story has ended yet.
      if (performance.now() > end) return
      const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
      try {
        await context.addInitScript(keepLog)
        const page = await context.newPage()
        await page.goto(address)
        const hands = new Hands(page)
        await tell(story, hands).catch(async (error) => {
          if (error instanceof Error) error.message += `\n${(await hands.events()).join('\n')}`
          throw error
        })
      } finally {
        await context.close()
      }
    }),
    { numRuns, endOnFailure: true, includeErrorInReport: true },
  )
}

async function tell(story: Story, hands: Hands): Promise<void> {
  const answer: Record<string, unknown> = {}
  for (const [index, [accidents, act]] of story.entries()) {
    const { id, question, options } = QUESTIONS[index] as (typeof QUESTIONS)[number]
    for (const accident of accidents) {
      await hands.settled()
      fc.pre(await hands.hasAccident(accident))
      expect({ accident, ...(await hands.shown()) }).toEqual({ accident, question, picked: null })
      expect(await hands.sent()).toEqual([])
    }
    const picked = await hands.does(act)
    answer[id] = { selected: [options[picked]?.label], source: 'human' }
    const isLast = index === story.length - 1
    const next = isLast ? {} : { question: QUESTIONS[index + 1]?.question, picked: null }
    expect({ act, ...(await hands.shown()) }).toMatchObject({ act, ...next })
    expect(await hands.sent()).toEqual(isLast ? [answer] : [])
  }
}
