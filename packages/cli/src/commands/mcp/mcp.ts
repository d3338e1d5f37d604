import { setImmediate } from 'node:timers/promises'
import type { RunnerChannel } from '@sandagent/core'
import { serveAskMcpStdio } from '@sandagent/runner/mcp'
import type { CliIo } from '../../io.ts'
import { warn } from '../../warn.ts'
import { lastReceipts } from '../channel/last-receipts.ts'
import { loadingChannel } from '../channel/loading-channel.ts'
import type { ChannelOptions } from '../channel/runner-channel.ts'
import { folderAt } from '../places/folder-at.ts'
import { parseMcpArgs } from './mcp-args.ts'

/** Serves the MCP client on standard input and output until it disconnects. Warnings go to standard error. */
export async function mcp(args: readonly string[], io: CliIo): Promise<void> {
  const { workdir, stateFolder, via, place, tickets, runId, timeoutMs, timeoutPolicy, sweepAfterMs } =
    parseMcpArgs(args)
  const onWarning = warn(io.stderr)
  const folder = workdir === undefined ? undefined : folderAt(workdir)
  const loading =
    folder === undefined
      ? undefined
      : loadChannel({ workdir: folder, stateFolder, sweepAfterMs, continues: [], onWarning })
  const connection = serveAskMcpStdio(
    {
      via,
      tickets,
      timeoutMs,
      timeoutPolicy,
      onWarning,
      place: place ?? (folder === undefined ? undefined : `the folder ${folder}`),
      channel: loading && loadingChannel(loading),
      runId,
    },
    io,
  )
  const close = (): void => void connection.close()
  io.signal.addEventListener('abort', close)
  try {
    if (io.signal.aborted) close()
    await Promise.all([connection.ended, loading])
  } catch (error) {
    close() // There is no such channel.
    throw error
  } finally {
    io.signal.removeEventListener('abort', close)
    await lastReceipts()
  }
}

/** Loads and makes the channel after the first turn of the event loop. The client's first request is answered before. */
async function loadChannel(options: ChannelOptions): Promise<RunnerChannel> {
  await setImmediate()
  const { runnerChannel } = await import('../channel/runner-channel.ts')
  const { enterWorkdir } = await import('@sandagent/sdk/internal')
  const [channel] = await Promise.all([runnerChannel(options), enterWorkdir(options, options)])
  return channel
}
