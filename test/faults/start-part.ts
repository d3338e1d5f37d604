import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A process of the product that runs until it ends, or the test does. */
export interface Part {
  /** Resolves to the next thing that it says, which must have this name. */
  says<T>(name: string): Promise<T>
  /** Resolves when it is gone, except for `SIGSTOP` and `SIGCONT`. */
  kill(signal: NodeJS.Signals): Promise<void>
}

/**
 * @param program `part.mjs`, bundled
 * @param options what the part gets: the request of a runner, the answers of people
 * @param user the number of its user and of its group. Default: those of this process
 * @param circumstances variables for `slow-host.cjs`
 */
export function startPart(
  program: string,
  name: 'runner' | 'host' | 'people',
  workdir: string,
  options: object = {},
  user?: number,
  circumstances?: { SLOW_WHILE?: string; AHEAD_MS?: string },
): Part {
  const preload = circumstances ? ['--require', fileURLToPath(new URL('slow-host.cjs', import.meta.url))] : []
  const child = spawn(process.execPath, [...preload, program, name, workdir, JSON.stringify(options)], {
    env: { ...process.env, ...circumstances },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(user !== undefined && { uid: user, gid: user, cwd: '/' }),
  })
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const says: Part['says'] = async (wanted) => {
    const said = JSON.parse((await lines.next()).value ?? '{}')
    if (!(wanted in said)) throw new Error(`The ${name} says ${JSON.stringify(said)}, not "${wanted}"`)
    return said[wanted]
  }
  return {
    says,
    async kill(signal) {
      child.kill(signal)
      if (signal === 'SIGKILL') await gone
    },
  }
}
