import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerFilePath } from '@sandagent/files'
import { createRandom } from '../lib/random.ts'
import type { Act, Foreign, Order } from '../messages.ts'
import { questionsOf } from './questions-of.ts'
import { report, settings } from './settings/settings.ts'

const GIGABYTE = 2 ** 30
const LONGEST_PIECE = 300

/** A program that writes in the folder of answers as no host does: in place, in tiny pieces, or nonsense. */
export function startForeign(): (order: Order) => void {
  const random = createRandom(settings.seed)

  const bytesOf = ({ token, text, manner }: Act): Buffer => {
    const file = {
      questions: questionsOf(text),
      answers: { [text]: token },
      status: 'completed',
      timestamp: new Date().toISOString(),
    }
    const whole = Buffer.from(JSON.stringify(file))
    if (manner === 'no UTF-8')
      return Buffer.concat([whole.subarray(0, 40), Buffer.of(0xff, 0xc0), whole.subarray(42)])
    if (manner === 'half a file') return whole.subarray(0, whole.length / 2)
    return manner === 'no JSON' ? Buffer.from('?'.repeat(100)) : whole
  }

  const write = async (act: Act): Promise<void> => {
    const path = join(settings.workdirs[act.run] ?? '', answerFilePath(act.toolCallId))
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(path, 'w')
    try {
      if ((act.manner as Foreign) === '1 GB') ftruncateSync(file, GIGABYTE)
      else
        for (let rest = bytesOf(act); rest.length > 0; ) {
          rest = rest.subarray(
            writeSync(file, rest, 0, Math.min(rest.length, 1 + random.below(LONGEST_PIECE))),
          )
          await sleep(random.below(3))
        }
    } finally {
      closeSync(file)
    }
    report({ ended: act.act, ending: { kind: 'acknowledged' } })
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit())
  return (order) => {
    if ('act' in order) void untilItFits(() => write(order.act))
  }
}

/** Tries again while the disk is full, or away. */
async function untilItFits(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      await sleep(50)
    }
  }
}
