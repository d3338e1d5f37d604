import type { InboxQuestion } from '@sandagent/inbox'
import { readCommandLine } from '../../arguments/command-line.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { createWriter, whenGone } from '../../writer.ts'
import { complain, INCOMPLETE, inboxOf } from '../places/inbox-of.ts'
import { endingLine, questionBlock } from './question-lines.ts'
import { QUESTIONS } from './questions-args.ts'

/** Lists the questions that wait, and follows them with `--watch`. Resolves to the exit code of an incomplete list. */
export async function questions(args: readonly string[], io: CliIo): Promise<number | undefined> {
  const { watch, json, policy, inbox: address, ...choice } = readCommandLine(QUESTIONS, args).values
  const isGiven = policy !== undefined || address !== undefined
  const demand = isGiven
    ? await (await import('../channel/run-demand.ts')).inboxDemand({ policy, inbox: address })
    : {}
  const { inbox } = inboxOf(choice, io, demand)
  const write = createWriter(io.stdout)
  const show = createTextView(write, io)
  if (watch) {
    const signal = AbortSignal.any([io.signal, whenGone(io.stdout)])
    for await (const change of inbox.watch({ signal })) {
      if (change.kind === 'unreachable') complain([change], io)
      if (json) await write(jsonLine(change))
      else if (change.kind === 'question') await show(change)
    }
    return undefined
  }
  const { questions: waiting, unreachable } = await inbox.list()
  for (const question of waiting) await (json ? write(jsonLine(question)) : show(question))
  complain(unreachable, io)
  if (unreachable.length > 0) return INCOMPLETE
  if (waiting.length === 0 && io.stdout.isTTY) await write('No question waits.\n')
  return undefined
}

/** Shows a question once while it waits, and once more when it does not. */
function createTextView(
  write: (text: string) => Promise<void>,
  { stdout }: Pick<CliIo, 'stdout'>,
): (item: InboxQuestion) => Promise<void> {
  const shown = new Set<string>()
  return async (item) => {
    const key = JSON.stringify([item.sandboxId, item.question.toolCallId])
    if (item.question.state !== 'open') {
      if (shown.delete(key)) await write(endingLine(item))
    } else if (!shown.has(key)) {
      shown.add(key)
      await write(questionBlock(item, { stream: stdout, now: Date.now() }))
    }
  }
}
