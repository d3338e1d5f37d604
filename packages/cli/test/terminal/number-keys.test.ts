import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startInTerminal } from '../../../../test/support/pseudo-terminal.ts'
import { writeScenario } from '../write-scenario.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const enter = '\r'
const down = '\u001b[B'

/** `sandagent run` in a terminal of its own, with these questions. */
async function ask(...questions: object[]) {
  const workdir = await tempDir()
  const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
  const args = [main, 'run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r']
  const terminal = startInTerminal(process.execPath, args)
  const host = createFileHostChannel({ files: new LocalSandbox({ workdir }).files })
  return { ...terminal, record: async () => (await host.read('r-1')).record }
}

const labels = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `L${index + 1}` }))

describe('a number key in a terminal', () => {
  it('picks the option that shows the number, in lists of any length', async () => {
    const question = fc
      .record({ count: fc.integer({ min: 1, max: 25 }), multiSelect: fc.boolean(), free: fc.boolean() })
      .chain(({ count, multiSelect, free }) =>
        fc.record({
          count: fc.constant(count),
          multiSelect: fc.constant(multiSelect),
          allowFreeText: fc.constant(free),
          picks: fc.uniqueArray(fc.integer({ min: 1, max: count }), {
            minLength: 1,
            maxLength: multiSelect ? 5 : 1,
          }),
          // The mark may be anywhere when the number is typed.
          moves: fc.integer({ min: 0, max: 3 }),
        }),
      )
    const questions = fc.array(question, { minLength: 6, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(questions, async (cases) => {
        const asked = cases.map(({ count, multiSelect, allowFreeText }, index) => ({
          id: `q${index}`,
          question: `Which of ${index}?`,
          multiSelect,
          allowFreeText,
          options: labels(count),
        }))
        const { at, ended, record } = await ask(...asked)
        for (const [index, { picks, moves }] of cases.entries())
          await at(`Which of ${index}?`, down.repeat(moves), picks.join(','), enter)
        await at('Send these answers?', enter)
        expect(await ended).toBe(0)
        const expected = cases.map(({ picks }, index) => {
          const selected = [...picks].sort((one, other) => one - other).map((number) => `L${number}`)
          return [`q${index}`, { selected }]
        })
        expect(await record()).toMatchObject({ responses: Object.fromEntries(expected) })
      }),
      { numRuns: 4 },
    )
  })

  it('takes digits that follow each other for one number only where the list is that long', async () => {
    const several = { multiSelect: true, allowFreeText: false }
    const { at, ended, record } = await ask(
      { id: 'short', question: 'Short?', ...several, options: labels(5) },
      { id: 'long', question: 'Long?', ...several, options: labels(12) },
      { id: 'none', question: 'None?', allowFreeText: false, options: labels(2) },
    )
    await at('Short?', '12', enter)
    await at('Long?', '12', enter)
    await at('None?', '2', '9', '0', enter)
    await at('Send these answers?', enter)
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({
      responses: {
        short: { selected: ['L1', 'L2'] },
        long: { selected: ['L12'] },
        none: { selected: ['L2'] },
      },
    })
  })

  it('is text like any other in an answer of one’s own', async () => {
    const { at, ended, record } = await ask(
      { id: 'choice', question: 'Choice?', options: labels(3) },
      { id: 'typed', question: 'Typed?' },
    )
    await at('Choice?', '3', down, enter)
    await at('Your own answer', '2 of each', enter)
    await at('Typed?', '1', enter)
    await at('Send these answers?', enter)
    expect(await ended).toBe(0)
    expect(await record()).toMatchObject({
      responses: { choice: { selected: [], freeText: '2 of each' }, typed: { freeText: '1' } },
    })
  })
})
