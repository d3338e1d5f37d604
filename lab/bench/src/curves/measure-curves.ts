import { runCrowd } from '../burst/run-crowd.ts'
import { measureList } from '../lists/list.ts'
import { measureWaiting } from '../poll/measure-waiting.ts'
import type { Curve } from './curve.ts'

type Points = [questions: number, figure: number][]

/** Four digits say enough. */
const rounded = (figure: number): number => Number(figure.toPrecision(4))

/** Powers of ten. */
const COUNTS = [1, 10, 100, 1000, 10_000, 100_000]
/** A list holds 16 MiB of texts, which is about 36,000 of the short questions here. */
const LIST_COUNTS = [1, 10, 100, 1000, 10_000, 30_000]

/**
 * Measures how lists, memory, delays and bursts grow.
 *
 * @param options.most the most questions
 */
export async function measureCurves({ quick, most }: { quick: boolean; most: number }): Promise<Curve[]> {
  const counts = COUNTS.filter((count) => count <= most)
  const list = { first: [] as Points, again: [] as Points, floor: [] as Points }
  for (const count of LIST_COUNTS.filter((count) => count <= most)) {
    note('list', count)
    const { firstMs, againMs, floorMs } = await measureList(count)
    list.first.push([count, rounded(firstMs)])
    list.again.push([count, rounded(againMs)])
    list.floor.push([count, rounded(floorMs)])
  }
  const crowd = { seconds: [] as Points, bytes: [] as Points }
  for (const count of counts) {
    note('burst and memory', count)
    const { seconds, idle } = await runCrowd(count, { idleMs: 1000 })
    crowd.seconds.push([count, rounded(seconds)])
    // The memory of a few disappears among what else the process keeps.
    if (count >= 100 && idle) crowd.bytes.push([count, rounded(idle.bytesPerWaiter)])
  }
  const delay = { watched: [] as Points, polled: [] as Points }
  for (const waiting of counts)
    for (const [points, refuse] of [[delay.watched, false] as const, [delay.polled, true] as const]) {
      note(refuse ? 'delay, polling' : 'delay', waiting)
      const { p50Ms } = await measureWaiting({ waiting, refuse, samples: quick ? 3 : 11, idleMs: 0 })
      points.push([waiting, p50Ms])
    }
  return [
    {
      name: 'list',
      title: 'The list of questions that wait',
      unit: 'milliseconds',
      lines: [
        { name: 'first list', points: list.first },
        { name: 'the same again', points: list.again },
        { name: 'reading the files', points: list.floor },
      ],
    },
    {
      name: 'resume',
      title: 'From the answer’s rename until askUser resolved',
      unit: 'milliseconds',
      lines: [
        { name: 'the system reports it', points: delay.watched },
        { name: 'polling alone', points: delay.polled },
      ],
    },
    {
      name: 'memory',
      title: 'Memory of each question that waits',
      unit: 'bytes',
      lines: [{ name: 'heap', points: crowd.bytes }],
    },
    {
      name: 'burst',
      title: 'Questions asked at once, until all are asked',
      unit: 'seconds',
      lines: [{ name: 'asked', points: crowd.seconds }],
    },
  ]
}

const note = (what: string, count: number): void => console.log(`${what}: ${count.toLocaleString('en')}`)
