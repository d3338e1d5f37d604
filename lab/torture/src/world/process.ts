import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Order, Report } from '../messages.ts'
import type { PartSettings } from '../parts/settings/settings.ts'
import { SETTINGS_VARIABLE } from '../parts/settings/settings-variable.ts'

export interface PartProcess {
  readonly name: string
  /** Whether it has started and takes orders. */
  isReady(): boolean
  pid(): number | undefined
  start(settings: PartSettings): void
  /** Does nothing if it does not run. */
  order(order: Order): void
  signal(signal: NodeJS.Signals): void
  /** Resolves when it is gone. */
  gone(): Promise<void>
}

interface Listeners {
  onReport(part: PartProcess, report: Report): void
  onExit(part: PartProcess, signal: NodeJS.Signals | null): void
}

/** A process of the product that can be started again and again. */
export function createPartProcess(
  program: string,
  name: string,
  { onReport, onExit }: Listeners,
): PartProcess {
  let child: ChildProcess | undefined
  let isReady = false
  const part: PartProcess = {
    name,
    isReady: () => isReady,
    pid: () => child?.pid,
    start(settings) {
      const env = { ...process.env, [SETTINGS_VARIABLE]: JSON.stringify(settings), NODE_OPTIONS: '' }
      const started = fork(program, [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] })
      child = started
      started.on('message', (report: Report) => {
        if ('ready' in report) isReady = true
        onReport(part, report)
      })
      // What it reported before it ended arrives before `close`.
      started.once('close', (_code, signal) => {
        child = undefined
        isReady = false
        onExit(part, signal)
      })
      started.on('error', () => {}) // An order to a process that is being killed.
    },
    order(order) {
      if (child?.connected) child.send(order, () => {})
    },
    signal(signal) {
      child?.kill(signal)
    },
    async gone() {
      if (child) await once(child, 'close')
    },
  }
  return part
}
