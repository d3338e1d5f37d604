import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../lib/in-folder.ts'
import type { WaitingCost, WaitingOrder } from './waiting-process.ts'

/** Measures a process in which questions wait. */
export const measureWaiting = (order: Omit<WaitingOrder, 'workdir'>): Promise<WaitingCost> =>
  inFolder(async (workdir) => {
    const child = fork(pathOf('waiting-process.js'), [JSON.stringify({ ...order, workdir })], {
      execArgv: order.refuse ? ['--import', pathOf('without-watch.js')] : [],
    })
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The process in which questions wait ended with ${code}`)
    })
    const [cost] = (await Promise.race([once(child, 'message'), ended])) as [WaitingCost]
    return cost
  })

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
