import { type ClutterCost, measureClutter } from './clutter.ts'
import { type CrowdCost, measureCrowd } from './crowd.ts'
import { type ListCost, measureLists } from './lists.ts'

/** What many questions cost. The names are the keys of `--json`. */
export interface Scale extends CrowdCost {
  list: ListCost
  clutter: ClutterCost
}

const MOST_TIMES_FLOOR = 2
const MOST_BURST_SECONDS = 6
const MOST_IDLE_PERCENT = 1
const MOST_BYTES = 4096
const MOST_CLUTTER_RATIO = 1.2

export async function measureScale(): Promise<Scale> {
  return { list: await measureLists(), ...(await measureCrowd()), clutter: await measureClutter() }
}

export function printScale({ list, burst, idle, clutter }: Scale): void {
  console.log('\nMany questions\n')
  console.table({
    'list of 1,000, in milliseconds': list.ms1000,
    'list of 5,000': list.ms5000,
    'reading the same 5,000 files': list.floorMs5000,
    'list of 5,000 again': list.againMs5000,
    '10,000 asked at once, in seconds': burst.seconds,
    'of which lost': burst.lost,
    'while they wait: percent of a core': idle.cpuPercent,
    'memory of each, in bytes': idle.bytesPerWaiter,
    descriptors: idle.fds,
    'an answer among 100,000 old files, times one alone': clutter.ratio,
  })
  const goals: [string, boolean][] = [
    [
      `a list takes at most ${MOST_TIMES_FLOOR} times the reads`,
      list.ms5000 <= MOST_TIMES_FLOOR * list.floorMs5000,
    ],
    [
      `10,000 questions are asked in ${MOST_BURST_SECONDS} s, and no answer is lost`,
      burst.seconds <= MOST_BURST_SECONDS && burst.lost === 0,
    ],
    [`waiting takes at most ${MOST_IDLE_PERCENT} % of a core`, idle.cpuPercent <= MOST_IDLE_PERCENT],
    [`a wait takes at most ${MOST_BYTES} bytes`, idle.bytesPerWaiter <= MOST_BYTES],
    [`old files cost at most the factor ${MOST_CLUTTER_RATIO}`, clutter.ratio <= MOST_CLUTTER_RATIO],
  ]
  console.log()
  for (const [goal, isMet] of goals) console.log(`Goal: ${goal}: ${isMet ? 'met' : 'missed'}`)
}
