import {
  type AnswerRequest,
  AskError,
  type AskedQuestion,
  type InputChange,
  printableLine,
} from '@sandagent/core/internal'
import { createFileHostChannel } from '@sandagent/files'
import type { InboxQuestion } from '@sandagent/inbox'
import { refuseGiver } from '@sandagent/sdk/internal'
import { usage } from '../../arguments/option-values.ts'
import { type CliIo, wantsLines } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import type { DialogOptions } from '../../terminal/dialog.ts'
import { answererOf } from '../answerer-of.ts'
import { inboxAt, inboxOf } from '../places/inbox-of.ts'
import type { Place } from '../places/places.ts'
import { readAnswerArgs } from './answer-args.ts'
import { chooseQuestion, waitingIn } from './choose-question.ts'
import { editOf, readInput, readJsonAnswer, requestOf } from './given-answer.ts'
import { endingLine, keptLine } from './question-lines.ts'

/** The exit code of a form whose question ended otherwise. By options, the error of `submitAnswer` has it too. */
const TOO_LATE = 3

/**
 * Answers a question: in the form of the terminal, or by options. It signs as a host does.
 */
export async function answer(args: readonly string[], io: CliIo): Promise<number | undefined> {
  const { id, given, screenReader, choice, who } = readAnswerArgs(args)
  if (!given && !(io.stdin.isTTY && io.stdout.isTTY))
    throw usage(
      'Without a terminal, give the answer: by --option, --text, --file, --secret, --decline, --ask-back or --json',
    )
  const json = given?.kind === 'json' ? await readJsonAnswer(given.text, id, io) : undefined
  const answerer = await answererOf(who)
  const { inbox, places } = inboxOf(choice, io, answerer)
  if (!given) {
    const { keepGrants } = await import('../grants/keep-grants.ts')
    const { grants, end } = keepGrants({ places, policy: answerer.policy, io })
    try {
      const giver = { ...answerer, grants }
      const inbox = inboxAt(places, io, giver)
      if (id !== undefined || (screenReader ?? wantsLines(io)))
        return await showForm(await chooseQuestion(inbox, id, io), await places(), {
          ...{ io, screenReader, answerer: giver },
        })
      const { walkThrough } = await import('../../terminal/walk/walk-through.ts')
      const read = async (item: InboxQuestion) => recordOf(item, await places())
      await walkThrough(await waitingIn(inbox, io), { inbox, read, io, answerer: giver, args })
      return undefined
    } finally {
      await end()
    }
  }
  const found = await chooseQuestion(inbox, json?.toolCallId ?? id, io, json?.isNamed)
  const { sandboxId, sandboxName, question } = found
  const { toolCallId } = question
  const submit = async (request: AnswerRequest, more?: { changes: InputChange[] }) => {
    const stored = await inbox.submit(sandboxId, request, answerer)
    io.stdout.write(jsonLine({ sandboxId, sandboxName, toolCallId, ...stored, ...more }))
    io.stderr.write(keptLine(question))
  }
  if (given.kind === 'edited') {
    const { request, changes } = editOf(await readInput(given.text, io), question)
    await submit(request, { changes })
    return undefined
  }
  if (given.kind === 'secret') {
    const { secretAnswerTo } = await import('./read-secret.ts')
    await submit(await secretAnswerTo(question, io))
    return undefined
  }
  const give = async (asked: AskedQuestion, paths: readonly string[]) => {
    const { giveFiles, pathOf } = await import('../../terminal/session/give-file.ts')
    refuseGiver(question)
    const place = (await places()).find(({ id }) => id === sandboxId)
    if (!place) throw new AskError('GONE', `This question is gone: ${printableLine(toolCallId)}`)
    return giveFiles(place.sandbox, { toolCallId, question: asked }, paths.map(pathOf))
  }
  const request =
    given.kind === 'json' ? { ...json?.answer, toolCallId } : await requestOf(given, question, give)
  await submit(request)
  return undefined
}

/** @throws AskError `GONE` for a question that waits no longer */
async function showForm(
  found: InboxQuestion,
  places: readonly Place[],
  { io, ...shown }: Pick<DialogOptions, 'io' | 'screenReader' | 'answerer'>,
): Promise<number | undefined> {
  const { toolCallId, state } = found.question
  const read = await recordOf(found, places)
  if (state !== 'open')
    throw new AskError('GONE', `This question waits no longer: ${endingLine(found).trim()}`)
  if (!read) throw new AskError('GONE', `This question is gone: ${printableLine(toolCallId)}`)
  const { record, sandbox, command } = read
  const [{ holdDialog }, { createKeyboard }] = await Promise.all([
    import('../../terminal/dialog.ts'),
    import('../../terminal/keyboard/keyboard.ts'),
  ])
  const keyboard = createKeyboard(io)
  const reachedBy = command === undefined ? undefined : { command, workdir: sandbox.workdir }
  // The form itself follows the question.
  const dismissal = new AbortController().signal
  try {
    const ending = await holdDialog(record, { sandbox, reachedBy, io, keyboard, ...shown, dismissal })
    return ending === 'too late' ? TOO_LATE : undefined
  } finally {
    await keyboard.close()
  }
}

/** The record of a question that was found, and where it is. */
async function recordOf({ sandboxId, question }: InboxQuestion, places: readonly Place[]) {
  const place = places.find(({ id }) => id === sandboxId)
  if (!place) return null
  const { files, stateFolder } = place.sandbox
  const { record } = await createFileHostChannel({ files, stateFolder }).read(question.toolCallId)
  return record ? { ...place, record } : null
}
