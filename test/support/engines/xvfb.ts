import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A display without a screen. */
export interface Display {
  /** What goes into `DISPLAY`. */
  name: string
  stop(): Promise<void>
}

/** Starts a display under the first number that is free. */
export async function startXvfb(): Promise<Display> {
  const args = ['-displayfd', '1', '-screen', '0', '1300x1000x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(server, 'exit')
  const kill = (): boolean => server.kill()
  process.once('exit', kill)
  const [number] = await Promise.race([once(server.stdout, 'data'), exit])
  if (server.exitCode !== null) throw new Error(`Xvfb ended with code ${server.exitCode}`)
  return {
    name: `:${String(number).trim()}`,
    async stop() {
      process.off('exit', kill)
      kill()
      await exit
    },
  }
}
