import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { askMany } from './ask-many.ts'

export const list: Scenario = defineScenario({
  title: 'listQuestions, the first time in a process that knows no file',
  keys: {
    ms1000: 'of 1,000 questions that wait',
    ms5000: 'of 5,000',
    floorMs5000: 'reading the same 5,000 files, many at once and without a look at their content',
    againMs5000: 'the list of 5,000 again',
  },
  async measure() {
    const { firstMs: ms1000 } = await measureList(1000)
    const { firstMs, againMs, floorMs } = await measureList(5000)
    return { ms1000, ms5000: firstMs, floorMs5000: floorMs, againMs5000: againMs }
  },
  goals: ({ ms5000, floorMs5000 }) => [
    { text: '5,000 in at most 1.4 × the bare reads', figure: ms5000, most: 1.4 * floorMs5000 },
  ],
})

/** How many files the floor opens at once: more than threads that read, and fewer than a process may open. */
const AT_ONCE = 500

/** In milliseconds. */
export const measureList = (count: number): Promise<{ firstMs: number; againMs: number; floorMs: number }> =>
  inFolder(async (workdir) => {
    const folder = join(workdir, '.sandagent/questions')
    await askMany(folder, count)
    const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
    const list = async (): Promise<void> => {
      const { length } = await listQuestions(sandbox)
      if (length !== count) throw new Error(`${length} of ${count} questions are listed`)
    }
    const readAll = async (): Promise<void> => {
      const names = await readdir(folder)
      const read = async (): Promise<void> => {
        for (let name = names.pop(); name !== undefined; name = names.pop())
          await readFile(join(folder, name), 'utf8')
      }
      await Promise.all(Array.from({ length: AT_ONCE }, read))
    }
    const before = await timeOf(readAll)
    const firstMs = await timeOf(list)
    const after = await timeOf(readAll)
    // A list trusts a stamp two seconds after it first saw it.
    await new Promise((resolve) => setTimeout(resolve, 2100))
    await list()
    return { firstMs, againMs: await timeOf(list), floorMs: (before + after) / 2 }
  })

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
