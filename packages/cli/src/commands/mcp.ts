import { serveAskMcpStdio } from '@sandagent/runner/mcp'
import type { CliIo } from '../io.ts'
import { folderAt } from './folder-at.ts'
import { lastReceipts } from './last-receipts.ts'
import { parseMcpArgs } from './mcp-args.ts'
import { runnerChannel, warn } from './runner-channel.ts'

/**
 * Serves the MCP client on standard input and output until it disconnects. Warnings go to standard error.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage.
 */
export async function mcp(args: readonly string[], io: CliIo): Promise<void> {
  const { workdir, stateFolder, via, place, runId, timeoutMs, timeoutPolicy, sweepAfterMs } =
    parseMcpArgs(args)
  const onWarning = warn(io.stderr)
  const folder = workdir === undefined ? undefined : folderAt(workdir)
  const channel =
    folder === undefined
      ? undefined
      : await runnerChannel({ workdir: folder, stateFolder, sweepAfterMs, continues: [], onWarning })
  const connection = serveAskMcpStdio(
    {
      via,
      timeoutMs,
      timeoutPolicy,
      onWarning,
      place: place ?? (folder === undefined ? undefined : `the folder ${folder}`),
      channel,
      runId,
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
    await lastReceipts()
  }
}
