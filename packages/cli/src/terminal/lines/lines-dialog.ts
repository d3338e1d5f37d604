import {
  ARRIVAL_GUARD_MS,
  type AskedQuestion,
  type AskSession,
  allowsFreeText,
  enteredFault,
  optionValue,
  printableLine,
  type QuestionOption,
  takesOnlyFiles,
  votesText,
} from '@sandagent/core/internal'
import type { CliIo } from '../../io.ts'
import { letStand } from '../form/choose.ts'
import { offered } from '../form/rows.ts'
import type { Keyboard } from '../keyboard/keyboard.ts'
import { firstView, onFirstView } from '../session/first-view.ts'
import { takeFilesAway } from '../session/give-file.ts'
import { giveSecret } from '../session/give-secret.ts'
import type { OpenQuestion } from '../session/open-session.ts'
import type { Asked } from '../subject-lines.ts'
import { hiddenLines } from './hidden-lines.ts'
import {
  COMMANDS,
  CONTROLS,
  checkedText,
  commentedNote,
  filesText,
  isCommand,
  mayNotText,
  notSentYet,
  questionLines,
  reviewLines,
  UNREAD,
} from './lines-texts.ts'
import { createPages } from './pages.ts'
import { createShaping, isShape, type Shape } from './shape-call.ts'
import { tellOthers } from './tell-others.ts'

/**
 * Asks in plain lines: nothing is drawn again, so a screen reader reads each line once. Answers are lines too. The host's view
 * is waited for: only that has all of a question, such as its files.
 *
 * @param options.signal aborts when nothing more is to be asked
 */
export async function askInLines({
  session,
  attach,
  asked,
  io,
  keyboard,
  signal,
}: {
  session: AskSession
  attach: OpenQuestion['attach']
  asked: Asked
  io: CliIo
  keyboard: Keyboard
  signal: AbortSignal
}): Promise<void> {
  const say = (text: string): void => void io.stdout.write(`${text}\n`)
  await firstView(session, signal)
  const questions = () => session.getSnapshot().questions
  let step = 0
  /** As they were shown last: a number stands for one of them. */
  let options: QuestionOption[] = []
  // Nobody can have read a question that has just appeared: lines are dropped until it has its prompt.
  let hasPrompt = false
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  const openPrompt = (): void => {
    if (dropped > 0) say(`${dropped === 1 ? 'A line was' : `${dropped} lines were`} dropped: too early.`)
    hasPrompt = true
    dropped = 0
    io.stdout.write('> ')
  }
  const pages = createPages(io, asked.kind === 'approval')
  const shaping = createShaping(session, asked)
  const widthNow = (): number => Math.max(20, (io.stdout.columns || 80) - 1)
  let stopHiding = (): void => {}
  const show = (): void => {
    const question = questions()[step]
    stopHiding()
    stopHiding = question?.secret ? keyboard.read({ onKey: hiddenLines(actOnSecret) }) : () => {}
    const width = widthNow()
    const scopes = session.getSnapshot().view?.scopes ?? []
    shaping.reset()
    options = offered(question?.options ?? [], scopes.length > 0)
    pages.show(
      question
        ? questionLines(session, question, { step, options, subject: asked.subject, width })
        : [reviewLines(session)],
    )
  }
  const ask = (): void => {
    show()
    hasPrompt = false
    clearTimeout(timer)
    timer = setTimeout(openPrompt, ARRIVAL_GUARD_MS)
  }
  const goTo = (next: number) => {
    step = Math.max(0, Math.min(next, questions().length))
    ask()
  }
  const complain = (text: string): void => {
    say(text)
    io.stdout.write('> ')
  }
  const goOn = () => {
    if (questions().length > 1) return goTo(step + 1)
    session.submit()
    if (session.getSnapshot().missing.length > 0) complain('This needs an answer.')
  }

  const answer = (question: AskedQuestion, line: string) => {
    const { multiSelect } = question
    if (line === '') return goOn()
    if (question.secret)
      return void giveSecret(session, question.id, line).then((fault) =>
        fault === null ? goOn() : complain(fault),
      )
    const numbers = /^[\d\s,]+$/.test(line) ? (line.match(/\d+/g) ?? []).map(Number) : []
    if (options.length > 0 && numbers.length > 0) {
      const picked = numbers.map((number) => options[number - 1])
      if (picked.includes(undefined) || (!multiSelect && picked.length > 1))
        return complain(`Type ${multiSelect ? 'numbers' : 'one number'} from 1 to ${options.length}.`)
      for (const option of picked)
        if (option) session.select(question.id, optionValue(option), { autoSubmit: false })
      return multiSelect ? complain(checkedText(session, question)) : goOn()
    }
    if (!allowsFreeText(question))
      return complain(
        takesOnlyFiles(question) ? 'Give a file by /attach PATH.' : 'Type a number of the list.',
      )
    const fault = enteredFault(question, line)
    if (fault !== null) return complain(`Type ${fault}.`)
    session.setFreeText(question.id, line)
    if (multiSelect) complain(checkedText(session, question))
    else goOn()
  }
  /** On a line of a plan; without a text, it takes the comment away. */
  const comment = (question: AskedQuestion, line: string): boolean => {
    const said = commentedNote(session, { question, subject: asked.subject }, line)
    if (said === null) return false
    session.setNotes(question.id, said)
    complain(`Comments: ${said === '' ? 'none' : printableLine(said)}`)
    return true
  }
  /** Nothing is shaped before the call was read: what is shown next takes its place. */
  const shape = (command: Shape, text: string, question: AskedQuestion) => {
    const shaped = pages.hasMore()
      ? { fault: UNREAD }
      : shaping.take(command, text, { question, width: widthNow() })
    if (shaped && 'fault' in shaped) return complain(shaped.fault)
    if (!shaped) return
    pages.show(shaped.lines)
    io.stdout.write('> ')
  }
  let isAdding = false
  const add = async (question: AskedQuestion, path: string) => {
    isAdding = true
    const fault = path === '' ? takeFilesAway(session, question) : await attach(question, path)
    isAdding = false
    complain(fault ?? filesText(session, question))
  }
  const review = (line: string) => {
    if (line === 'send') return session.submit({ partial: true })
    const number = Number(line)
    if (questions()[number - 1]) goTo(number - 1)
    else complain('Type send, or the number of a question.')
  }
  const act = (whole: string) => {
    if (!hasPrompt) {
      dropped += 1
      return
    }
    if (CONTROLS.test(whole))
      return complain(
        'This line holds more than text, such as an arrow key or a reply of the terminal. Type it again.',
      )
    const line = whole.trim()
    const question = questions()[step]
    const [, typed = '', rest = ''] = /^\/(\w+)(?:\s(.*))?$/.exec(line) ?? []
    const command = typed.toLowerCase()
    const { status, rule, isEditable } = session.getSnapshot()
    if (status === 'voted' && command === 'change') {
      session.undo()
      return ask()
    }
    if (status === 'not-allowed' && rule) return complain(mayNotText(rule))
    if (isAdding) return complain('The file is being added. Type that again in a moment.')
    if (!isEditable) return complain('The answer is on its way.')
    if (command === 'decline') return session.decline(rest.trim() || undefined)
    if (command === 'ask') {
      const { takesQuestions } = session.getSnapshot()
      if (!takesQuestions)
        return complain('This agent takes no questions. /decline REASON tells it why you decline.')
      return rest.trim() === ''
        ? complain('Type what you want to ask behind /ask.')
        : session.askBack(rest.trim())
    }
    // A secret may look like a command, and what it looks like is not told.
    if (question?.secret && !(whole.startsWith('/') && isCommand(command)))
      return answer(question, line && whole)
    if (command === 'stand' && question)
      return letStand(session, question) ? goOn() : complain('There is nothing to let stand here.')
    if (command === 'attach' && question) return void add(question, rest.trim())
    if (question && isShape(command)) return shape(command, rest.trim(), question)
    if (command === 'back') return goTo(step - 1)
    if (command === 'again') return ask()
    if (command === 'note' && question) {
      session.setNotes(question.id, rest.trim())
      return complain(rest.trim() === '' ? 'The note is gone.' : 'The note is kept.')
    }
    if (whole.startsWith('/') && command !== '' && !isCommand(command))
      return complain(`There is no /${typed}. ${COMMANDS} An answer may begin with a space and a slash.`)
    if (!question) return review(line)
    if (comment(question, line)) return
    if (!pages.hasMore()) return answer(question, line)
    if (line !== '') return complain(UNREAD)
    pages.showMore()
    io.stdout.write('> ')
  }
  const actOnSecret = (line: string | null) =>
    line === null
      ? complain('This secret has several lines. Paste it in the form or on the page.')
      : act(line)
  const stopReading = keyboard.read({ onLine: act })
  show()
  const stop = tellOthers(session, say)
  // A line that was begun before the question must not answer it.
  await keyboard.quiet()
  if (!signal.aborted) openPrompt()
  const stopLooking = onFirstView(session, ask)
  let told = session.getSnapshot().status
  const stopTelling = session.subscribe(() => {
    const { error, status, unsaved, rule, votes } = session.getSnapshot()
    const isNew = status !== told
    if (status !== 'sending') told = status // The next try is no news.
    if (isNew && status === 'voted')
      complain(`Your vote is stored. ${votesText(rule, votes.length)}. /change changes it.`)
    if (isNew && status === 'not-allowed' && rule) complain(mayNotText(rule))
    if (isNew && status === 'retrying') complain(notSentYet(error))
    if (error && status === 'failed' && !unsaved) complain(`Not sent: ${printableLine(error.message)}`)
  })
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  for (const end of [stopHiding, stopReading, stopLooking, stopTelling, stop]) end()
  clearTimeout(timer)
}
