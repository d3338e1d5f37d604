// Runs an agent that asks, its host and what answers as a page does: three processes that export their telemetry.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { telemetryOf } from './environment.mjs'

/**
 * @param {{ collector: string, workdir: string, scenario: string, thinksMs: number, config: string,
 *   beforePage?: () => Promise<unknown>, beforeEnd?: () => Promise<unknown> }} options
 *   `config`: the folder of the host's keys; `beforePage`: what the page waits for, `beforeEnd`: what the host waits for
 * @returns {Promise<string>} how the run ended
 */
export async function tracedRun({ collector, workdir, scenario, thinksMs, config, beforePage, beforeEnd }) {
  const host = start('host', collector, [workdir, scenario], { XDG_CONFIG_HOME: config })
  const lines = createInterface(host.stdout)[Symbol.asyncIterator]()
  const hostEnded = once(host, 'exit')
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let page
  try {
    const url = String((await lines.next()).value)
    await beforePage?.()
    page = start('page', collector, [url, String(thinksMs)])
    const pageEnded = once(page, 'exit')
    const { value: state } = await lines.next()
    await beforeEnd?.()
    page.kill('SIGTERM')
    host.stdin.end()
    await Promise.all([hostEnded, pageEnded])
    return state
  } finally {
    host.kill('SIGKILL')
    page?.kill('SIGKILL')
  }
}

/**
 * @param {'host' | 'page'} name
 * @param {string} collector
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [more]
 */
function start(name, collector, args, more) {
  const program = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  const env = { ...process.env, ...telemetryOf(name, collector), ...more }
  return spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
}
