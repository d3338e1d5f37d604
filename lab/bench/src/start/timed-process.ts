import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The `sandagent` command. */
export const main: string = fileURLToPath(new URL('../../../../packages/cli/dist/main.js', import.meta.url))

/** Starts Node, and resolves to the time until its process had ended, in nanoseconds. */
export async function timeToEnd(...args: string[]): Promise<bigint> {
  const startedAt = process.hrtime.bigint()
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const [exitCode] = await once(child, 'exit')
  if (exitCode !== 0) throw new Error(`node ${args.join(' ')} ended with ${exitCode}`)
  return process.hrtime.bigint() - startedAt
}

/** Starts an MCP server, and resolves to the time until it had answered the first request, in nanoseconds. */
export async function timeToAnswer(...args: string[]): Promise<bigint> {
  const startedAt = process.hrtime.bigint()
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const answeredAt = process.hrtime.bigint()
  child.stdin.end()
  await ended
  if (JSON.parse(line).result?.serverInfo === undefined) throw new Error(`No MCP server answered: ${line}`)
  return answeredAt - startedAt
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'sandagent-bench', version: '1' },
  },
}
