import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../../../scripts/run.mjs'

export const main: string = join(root, 'packages/cli/dist/main.js')

/** `sandagent serve` in a process of its own. */
export interface InboxServer {
  origin: string
  port: string
  /** The link that signs in one browser. */
  link: string
  /** What it had printed when it was ready. */
  printed: string
  /** Asks the process to end, and resolves to its exit code. */
  stop(): Promise<number | null>
}

/** Serves an inbox until the test ends, on a port that the system picks unless `args` name one. */
export async function startInbox(
  args: readonly string[],
  { env = {} }: { env?: Readonly<Record<string, string>> } = {},
): Promise<InboxServer> {
  const server = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(server, 'exit')
  const stop = async (): Promise<number | null> => {
    server.kill('SIGTERM')
    const [code] = await exit
    return code
  }
  onTestFinished(async () => void (await stop()))
  let output = ''
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk
    if (output.includes('/login?link=')) break
  }
  server.stdout.resume()
  const [link = ''] = /https?:\S+\/login\?link=\S+/.exec(output) ?? []
  if (link === '') throw new Error(`The server ended before it was ready: ${output}`)
  const { origin, port } = new URL(link)
  return { origin, port, link, printed: output, stop }
}
