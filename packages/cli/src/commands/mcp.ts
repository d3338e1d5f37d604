import { LocalSandbox } from '@sandagent/sdk'
import type { CliIo } from '../cli.ts'
import { runnerChannel, warn } from '../runner-channel.ts'
import { parseMcpArgs } from './mcp-args.ts'

export { MCP_HELP } from './mcp-args.ts'

/**
 * Serves the MCP client at the other end of standard input and output until it goes away. Standard output is the
 * protocol's; what people should know goes to standard error.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage.
 */
export async function mcp(args: readonly string[], io: CliIo): Promise<void> {
  const { workdir, stateFolder, via, runId, timeoutMs, onTimeout } = parseMcpArgs(args)
  const onWarning = warn(io.stderr)
  const sandbox = workdir === undefined ? undefined : new LocalSandbox({ workdir, stateFolder })
  const channel =
    sandbox &&
    runnerChannel({
      workdir: sandbox.workdir,
      stateFolder: sandbox.stateFolder,
      continues: [],
      onWarning,
    })
  // The other commands start without MCP's own SDK.
  const { serveAskMcpStdio } = await import('@sandagent/runner/mcp')
  const connection = serveAskMcpStdio(
    {
      via,
      timeoutMs,
      onTimeout,
      onWarning,
      ...(channel && { channel }),
      ...(runId !== undefined && { runId }),
    },
    io,
  )
  const close = (): void => void connection.close()
  io.signal.addEventListener('abort', close)
  try {
    if (io.signal.aborted) close()
    await connection.ended
  } finally {
    io.signal.removeEventListener('abort', close)
  }
}
