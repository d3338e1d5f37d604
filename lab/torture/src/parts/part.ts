// A process of the product in a torture. Its role is in its settings.

import type { Order } from '../messages.ts'
import { heal } from './faults/faulty-fs.ts'
import { setClock } from './settings/clock.ts'
import { type Role, report, settings } from './settings/settings.ts'
import { whatIsThere } from './what-is-there.ts'

/** Starts a part. Returns what it does with orders of its own. A part loads only what it needs: it starts often. */
const START: Record<Role, () => Promise<(order: Order) => void>> = {
  runner: async () => (await import('./runner.ts')).startRunner(),
  host: async () => (await import('./host.ts')).startHost({ isFar: false }),
  'relay-host': async () => (await import('./host.ts')).startHost({ isFar: true }),
  page: async () => (await import('./page.ts')).startPage(),
  writer: async () => (await import('./writer.ts')).startWriter(),
  foreign: async () => (await import('./foreign.ts')).startForeign(),
  reader: async () => (await import('./reader.ts')).startReader(),
}

/** The parent is gone: nobody else ends this process then. */
process.once('disconnect', () => process.exit())
process.on('uncaughtException', (error) => report({ failed: error.stack ?? String(error) }))
process.on('unhandledRejection', (error) =>
  report({ failed: error instanceof Error ? `${error.stack}` : `${error}` }),
)

const early: Order[] = []
/** The driver repeats the acts that a part may have missed. */
const begun = new Set<string>()
const isRepeated = (order: Order): boolean => {
  if (!('act' in order)) return false
  const isKnown = begun.has(order.act.act)
  begun.add(order.act.act)
  return isKnown
}
let take = (order: Order): void => void early.push(order)
process.on('message', (order: Order) => {
  if ('heal' in order) heal()
  if ('clockMs' in order) setClock(order.clockMs)
  else if ('blockMs' in order) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, order.blockMs)
  else if ('count' in order) report({ counted: whatIsThere() })
  else if (!isRepeated(order)) take(order)
})
const ownOrders = await START[settings.role]()
take = ownOrders
for (const order of early) ownOrders(order)
report({ ready: true })
