import { printableLine, type QuestionRecord } from '@sandagent/core/internal'
import type { Inbox, InboxQuestion } from '@sandagent/inbox'
import type { AnswerableSandbox } from '@sandagent/sdk'
import type { CliIo } from '../../io.ts'
import { goOnCommand } from '../come-back.ts'
import { editorOf } from '../form/edit/editor.ts'
import { createKeyboard } from '../keyboard/keyboard.ts'
import { openSession } from '../session/open-session.ts'
import type { CallerOptions } from '../session/record-transport.ts'
import type { WaitingItem } from './waiting.ts'
import { createWalk } from './walk.ts'

/** How long an answer can be taken back, in milliseconds: the next question is drawn already. */
const UNDO_MS = 5000

/**
 * Shows the questions that wait, one after the other, until none is left or `io.signal` aborts. What is held then is not sent.
 *
 * @param options.read reads the record of a question; `null` where it is gone
 */
export async function walkThrough(
  found: readonly InboxQuestion[],
  {
    inbox,
    read,
    io,
    answerer,
    args,
  }: {
    inbox: Pick<Inbox, 'watch'>
    read(item: InboxQuestion): Promise<{ record: QuestionRecord; sandbox: AnswerableSandbox } | null>
    io: CliIo
    answerer: CallerOptions | undefined
    /** What the command was given, such as its places. */
    args: readonly string[]
  },
): Promise<void> {
  const over = new AbortController()
  let ending = ''
  const walk = createWalk({
    async open(item: WaitingItem) {
      const place = await read(item)
      if (!place) return null
      const { record, sandbox } = place
      return openSession(record, { sandbox, answerer, undoMs: UNDO_MS })
    },
    onEmpty({ putOff, decided }) {
      ending = [
        `All done: ${decided === 1 ? 'one question' : `${decided} questions`} decided.`,
        ...(putOff > 0 ? [`${putOff} put off: ${putOff === 1 ? 'it waits' : 'they wait'} on.`] : []),
      ].join(' ')
      over.abort()
    },
  })
  const signal = AbortSignal.any([io.signal, over.signal])
  const follow = async (): Promise<void> => {
    for await (const change of inbox.watch({ signal })) walk.take(change)
  }
  walk.onLine((line) => io.stdout.write(`${line}\n`))
  const keyboard = createKeyboard(io)
  // Loading the form takes a moment.
  keyboard.read({})
  try {
    const { showWalk } = await import('../form/show-form.tsx')
    walk.begin(found)
    const following = follow().catch((error: unknown) => {
      ending = `What waits cannot be followed any more: ${printableLine((error as Error).message)}`
      over.abort()
    })
    await showWalk({ walk, signal, keyboard, stdout: io.stdout, editor: editorOf(io) })
    over.abort()
    await following
  } finally {
    walk.onLine((line) => io.stdout.write(`${line}\n`))
    await walk.close()
    await keyboard.close()
  }
  io.stdout.write(
    ending === '' ? `What is not decided waits on. To go on: ${goOnCommand(args)}\n` : `${ending}\n`,
  )
}
