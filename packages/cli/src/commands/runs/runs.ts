import { printableLine } from '@sandagent/core/internal'
import type { InboxRun } from '@sandagent/inbox'
import { pruneRuns, stopRun } from '@sandagent/sdk'
import { readCommandLine } from '../../arguments/command-line.ts'
import { milliseconds, onlyWord, usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { lasting } from '../../lasting.ts'
import { styled } from '../../styled.ts'
import { warn } from '../../warn.ts'
import { createWriter } from '../../writer.ts'
import { complain, INCOMPLETE, inboxOf } from '../places/inbox-of.ts'
import { findRun } from './find-run.ts'
import { LIST, PRUNE, STOP } from './runs-args.ts'

/** Lists runs. Resolves to the exit code of an incomplete list. */
export async function list(args: readonly string[], io: CliIo): Promise<number | undefined> {
  const { json, ...choice } = readCommandLine(LIST, args).values
  const { runs, unreachable } = await inboxOf(choice, io).inbox.runs()
  const write = createWriter(io.stdout)
  for (const run of runs) await write(json ? jsonLine(run) : textOf(run, io.stdout))
  complain(unreachable, io)
  return unreachable.length === 0 ? undefined : INCOMPLETE
}

/** Stops a run. @throws AskError `INVALID_REQUEST` for wrong usage, `NOT_FOUND` for an unknown run */
export async function stop(args: readonly string[], io: CliIo): Promise<void> {
  const { values, words } = readCommandLine(STOP, args)
  const { reason, ...choice } = values
  const runId = onlyWord('run', words)
  if (runId === undefined) throw usage('Which run?')
  const { inbox, places } = inboxOf(choice, io)
  const { sandboxId } = await findRun(inbox, runId, io)
  for (const { id, sandbox } of await places())
    if (id === sandboxId) io.stdout.write(`${runId}  ${(await stopRun(sandbox, runId, { reason })).state}\n`)
}

/** Removes the logs of old runs, and prints which. */
export async function prune(args: readonly string[], io: CliIo): Promise<number | undefined> {
  const { 'older-than-ms': age, ...choice } = readCommandLine(PRUNE, args).values
  const olderThanMs = milliseconds('--older-than-ms', age)
  const { places } = inboxOf(choice, io)
  const onWarning = warn(io.stderr)
  let exitCode: number | undefined
  for (const { id, name, sandbox } of await places())
    try {
      for (const runId of await pruneRuns(sandbox, { olderThanMs, onWarning }))
        io.stdout.write(`${runId}  ${printableLine(name)}\n`)
    } catch (error) {
      const place = { sandboxId: id, sandboxName: name }
      complain([{ ...place, code: 'UNREACHABLE', message: (error as Error).message }], io)
      exitCode = INCOMPLETE
    }
  return exitCode
}

function textOf({ sandboxName, run }: InboxRun, stream: CliIo['stdout']): string {
  const { runId, state, agent, prompt, startedAt, endedAt, reason, damage } = run
  const began = Date.parse(startedAt)
  const facts = [
    `in ${printableLine(sandboxName)}`,
    `began ${lasting(Date.now() - began)} ago`,
    endedAt && `took ${lasting(Date.parse(endedAt) - began)}`,
    (reason ?? damage) && printableLine(reason ?? damage ?? '', MOST),
  ].filter(Boolean)
  return [
    `${styled('bold', runId, stream)}  ${state}  ${printableLine(agent, MOST)}  ${printableLine(prompt, MOST)}\n`,
    styled('dim', `  ${facts.join(' · ')}`, stream),
    '\n',
  ].join('')
}

/** How much of a text of an agent is shown, in characters. */
const MOST = 200
