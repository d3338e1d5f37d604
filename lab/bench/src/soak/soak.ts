import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../lib/in-folder.ts'
import { defineScenario, type Scenario } from '../lib/scenario.ts'
import type { SoakSample } from './soak-process.ts'

/** 5 MB in 100,000 questions. */
const MOST_BYTES = 50

export const soak: Scenario = defineScenario({
  title: 'questions asked and answered in one process for many minutes',
  byNameOnly: true,
  keys: {
    rssSlope: 'how much memory grows with each question in the second half, bytes',
    fds: 'how many descriptors more are open in the last quarter than in the third, medians',
    cpuGrowth: 'CPU time for a question in the last quarter, divided by that in the second one',
    questions: 'questions that were answered',
  },
  measure: ({ minutes }) => inFolder((workdir) => measureSoak(workdir, minutes)),
  goals: ({ rssSlope, fds, cpuGrowth, questions }) => [
    {
      text: `memory grows by at most ${MOST_BYTES} bytes for each question`,
      figure: rssSlope,
      most: MOST_BYTES,
    },
    { text: 'no descriptor stays open', figure: fds, most: 0 },
    { text: 'a question costs the same from begin to end', figure: cpuGrowth, most: 1.1 },
    { text: '100,000 questions', figure: questions, least: 100_000 },
  ],
})

async function measureSoak(workdir: string, minutes: number) {
  const script = fileURLToPath(new URL('soak-process.js', import.meta.url))
  const child = fork(script, [workdir, `${minutes}`], { execArgv: ['--expose-gc'] })
  const samples: SoakSample[] = []
  child.on('message', (sample) => samples.push(sample as SoakSample))
  const [code] = await once(child, 'exit')
  const last = samples.at(-1)
  if (code !== 0 || !last) throw new Error(`The process that asks ended with ${code}`)
  // The first half compiles code and fills what is kept for a time.
  const half = samples.slice(Math.floor(samples.length / 2))
  const middle = Math.floor(half.length / 2)
  return {
    rssSlope: slope(half.map(({ questions, rssBytes }) => [questions, rssBytes])),
    fds: last.fds === null ? null : medianFds(half.slice(middle)) - medianFds(half.slice(0, middle)),
    cpuGrowth: cpuOfEach(half.slice(middle)) / cpuOfEach(samples.slice(middle, 2 * middle)),
    questions: last.questions,
  }
}

/** CPU time for each question between two samples, in milliseconds. */
function cpuOfEach(samples: readonly SoakSample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  return first && last ? (last.cpuMs - first.cpuMs) / (last.questions - first.questions) : Number.NaN
}

/** The median, because the number differs with the files that are being read at that moment. */
function medianFds(samples: readonly SoakSample[]): number {
  const sorted = samples.map(({ fds }) => fds ?? 0).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Of the straight line that fits the points best. */
function slope(points: readonly [x: number, y: number][]): number {
  const mean = (of: (point: [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])]
  const spread = mean((point) => (point[0] - x) ** 2)
  return spread === 0 ? 0 : mean((point) => (point[0] - x) * (point[1] - y)) / spread
}
