import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { AskError, type ChannelWarning, parseJson } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import {
  type Agent,
  type AgentRun,
  createUiStream,
  parseScenario,
  runAgent,
  scriptedAgent,
} from '@sandagent/runner'
import { LocalSandbox } from '@sandagent/sdk'
import type { CliIo } from '../cli.ts'
import { createTerminal } from '../terminal/terminal.ts'
import { createWriter } from '../writer.ts'
import { parseRunArgs, type RunArgs } from './run-args.ts'

export { RUN_HELP } from './run-args.ts'

/**
 * Runs an agent. A terminal shows readable text and asks right there; anything else gets the UI stream.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage, and whatever ends the agent early.
 */
export async function run(args: readonly string[], io: CliIo): Promise<void> {
  const options = parseRunArgs(args, { isTerminal: io.stdout.isTTY === true })
  const agent = await agentOf(options)
  const sandbox = new LocalSandbox({ workdir: options.workdir })
  const onWarning = ({ message, toolCallId }: ChannelWarning): void => {
    io.stderr.write(`sandagent: ${message}${toolCallId === undefined ? '' : ` (${toolCallId})`}\n`)
  }
  const channel = createFileRunnerChannel({ workdir: sandbox.workdir, onWarning })
  const outlets =
    options.format === 'text'
      ? createTerminal({ sandbox, channel, io })
      : { channel, ui: createUiStream(createWriter(io.stdout)) }
  const agentRun: AgentRun = {
    prompt: options.prompt,
    workdir: sandbox.workdir,
    runId: options.runId ?? randomUUID(),
    timeoutMs: options.timeoutMs,
    onTimeout: options.onTimeout,
    signal: io.signal,
    onWarning,
    ...outlets,
  }
  await runAgent(agent, agentRun)
}

async function agentOf({ scenario }: RunArgs): Promise<Agent> {
  const what = `The scenario ${scenario} cannot be used`
  return scriptedAgent(parseScenario(parseJson(await readText(scenario), 'INVALID_FILE', what)))
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new AskError('NOT_FOUND', `There is no file ${path}`, { cause })
  }
}
