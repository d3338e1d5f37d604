import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that does one order after the other. */
export interface Worker<Order, Report> {
  work(order: Order): Promise<Report>
  end(): void
}

/** Starts a script. It sends a message once it is ready, and then one for each order. */
export async function startWorker<Order, Report>(
  script: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<Worker<Order, Report>> {
  const child = fork(script, args, { execArgv: [...execArgv] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ended with ${code}`)
  })
  const report = async (): Promise<Report> => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [Report]
    return message
  }
  await report()
  return {
    work(order) {
      child.send(order as object)
      return report()
    },
    end() {
      ended.catch(() => {}) // as it is meant to
      child.kill()
    },
  }
}
