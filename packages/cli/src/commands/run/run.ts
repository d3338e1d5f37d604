import { randomUUID } from 'node:crypto'
import { printable, thenEnd } from '@sandagent/core/internal'
import { createUiStream, runAgent } from '@sandagent/runner'
import { enterWorkdir, hideSigningKey, isRunId, RUN_ID_RULE } from '@sandagent/sdk/internal'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { createJsonWriter } from '../../json-line.ts'
import { warn } from '../../warn.ts'
import { lastReceipts } from '../channel/last-receipts.ts'
import { runnerChannel } from '../channel/runner-channel.ts'
import type { KeptGrants } from '../grants/keep-grants.ts'
import { folderAt } from '../places/folder-at.ts'
import { agentOf } from './agent-of.ts'
import { reportInStream } from './report-in-stream.ts'
import { parseRunArgs } from './run-args.ts'

/**
 * Runs an agent. A terminal shows text and asks the questions; any other output gets the UI stream. Resolves to the exit code
 * of an isolated run.
 */
export async function run(args: readonly string[], io: CliIo): Promise<number | undefined> {
  const begin = await reportInStream(args, io, () => prepare(args, io))
  return begin()
}

/** Does everything that can fail before the agent begins. */
async function prepare(args: readonly string[], io: CliIo): Promise<() => Promise<number | undefined>> {
  const options = parseRunArgs(args, { isTerminal: io.stdout.isTTY === true })
  const { prompt, runId = randomUUID(), timeoutMs, timeoutPolicy } = options
  if (!isRunId(runId)) throw usage(`--run-id takes ${RUN_ID_RULE}, not ${runId}`)
  const onWarning = warn(io.stderr)
  if (options.policy !== undefined || options.inbox !== undefined) {
    const { runDemand } = await import('../channel/run-demand.ts')
    const tell = (message: string): void => onWarning({ code: 'PASSKEY_NEEDED', message })
    Object.assign(process.env, await runDemand(options, tell))
  }
  if (options.isolation !== 'none')
    return () =>
      reportInStream(args, io, async () => (await import('./run-isolated.ts')).runIsolated(args, options, io))
  // Answers of this terminal are signed with it. The agent inherits the environment.
  hideSigningKey()
  const agent = await agentOf(options.agent)
  const { stateFolder, sweepAfterMs } = options
  const place = { workdir: folderAt(options.workdir), stateFolder, sweepAfterMs }
  await enterWorkdir(place, { onWarning })
  const channel = await runnerChannel({ ...place, continues: options.continues, onWarning })
  const isText = options.format === 'text'
  const log = isText
    ? await (await import('./kept-log.ts')).keptLog(place, { runId, prompt, agent: options.agent }, onWarning)
    : undefined
  let kept: KeptGrants | undefined
  const outlets = isText
    ? (await import('../../terminal/terminal.ts')).createTerminal({
        place,
        channel,
        io,
        screenReader: options.screenReader,
        async grants() {
          const [{ keepGrants }, { createPlaces }] = await Promise.all([
            import('../grants/keep-grants.ts'),
            import('../places/places.ts'),
          ])
          const workdir = [{ value: place.workdir, with: undefined }]
          kept ??= keepGrants({ places: createPlaces({ workdir, 'state-folder': stateFolder }, io), io })
          return kept.grants
        },
      })
    : { channel, write: createJsonWriter(io.stdout), async end() {} }
  return async () => {
    const ui = createUiStream(async (event) => {
      await log?.write(event)
      await outlets.write(event)
    })
    const working = async (): Promise<void> => {
      try {
        await runAgent(agent, {
          ...{ prompt, runId, timeoutMs, timeoutPolicy, onWarning, ui },
          workdir: place.workdir,
          agentName: options.agent.name,
          channel: outlets.channel,
          signal: io.signal,
        })
      } catch (error) {
        // A misspelt folder was made a moment ago. Pages see the stream, and not this.
        if (options.agent.name === 'command' && !io.signal.aborted)
          io.stderr.write(`sandagent: The program ran in ${printable(place.workdir)}\n`)
        throw error
      }
    }
    await thenEnd(
      working,
      lastReceipts,
      outlets.end,
      () => kept?.end(),
      () => log?.close(),
    )
    return undefined
  }
}
