import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { WebHandler } from '@sandagent/user-choice'
import { onTestFinished } from 'vitest'
import { root } from '../../../scripts/run.mjs'

/** A process that serves on a port of its own, behind a site whose address outlives it. */
export interface Served {
  port: number
  /** All that it printed, once it is gone. */
  output: Promise<string>
  kill(): Promise<void>
}

/** Starts a script of this repository that prints its port. */
export async function serve(script: string, args: string[], env: Record<string, string>): Promise<Served> {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    env: { ...process.env, ...env, PORT: '0' },
  })
  const closed = once(child, 'close')
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then((texts) => texts.join(''))
  const kill = async () => {
    child.kill('SIGKILL')
    await closed
  }
  onTestFinished(kill)
  const port = await new Promise<number>((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (piece) => {
      printed += piece
      const [, found] = /port: (\d+)/.exec(printed) ?? []
      if (found) resolve(Number(found))
    })
    void output.then((all) => reject(new Error(`It did not serve: ${all}`)))
  })
  return { port, output, kill }
}

/** Hands requests on to a process; while there is none, the sender gets what a proxy says then. */
export const forwardTo =
  (process: () => Served | undefined): WebHandler =>
  async (request) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const body = method === 'GET' ? null : await request.text()
    const init = { method, headers: { 'content-type': headers.get('content-type') ?? '' }, body }
    return fetch(`http://127.0.0.1:${process()?.port ?? 1}${pathname}${search}`, init).catch(
      () => new Response(null, { status: 502 }),
    )
  }
