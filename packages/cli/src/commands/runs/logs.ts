import { printable, readServerEvents } from '@sandagent/core/internal'
import { readCommandLine } from '../../arguments/command-line.ts'
import { onlyWord } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { chunkIn, createTextPrinter, textIn } from '../../terminal/text-printer.ts'
import { createWriter, whenGone } from '../../writer.ts'
import { inboxOf } from '../places/inbox-of.ts'
import { findRun } from './find-run.ts'
import { LOGS } from './runs-args.ts'

/** Shows the log of a run. @throws AskError `INVALID_REQUEST` for wrong usage, `NOT_FOUND` for an unknown run */
export async function logs(args: readonly string[], io: CliIo): Promise<void> {
  const { values, words } = readCommandLine(LOGS, args)
  const { follow = false, json, ...choice } = values
  const { inbox } = inboxOf(choice, io)
  const { sandboxId, run } = await findRun(inbox, onlyWord('run', words), io)
  const signal = AbortSignal.any([io.signal, whenGone(io.stdout)])
  const write = createWriter(io.stdout)
  const show = createTextPrinter(io.stdout, { showQuestions: true })
  let failure: unknown
  const onError = (error: unknown): void => {
    failure = error
  }
  const stream = await inbox.log(sandboxId, run.runId, { follow, signal, onError })
  for await (const { data } of readServerEvents(stream, () => {})) {
    const chunk = chunkIn(data)
    if (!chunk) continue
    if (json) await write(jsonLine(chunk))
    else if (chunk.type === 'error') {
      // The stream is for pages. What the agent printed last is for the host.
      const { reason } = (await inbox.run(sandboxId, run.runId)).run
      await write(`✗ ${printable(reason ?? textIn(chunk.errorText))}\n`)
    } else await show(chunk)
  }
  if (failure !== undefined) throw failure
}
