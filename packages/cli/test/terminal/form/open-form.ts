import type {
  AskError,
  AskedQuestion,
  AskSession,
  PageAnswer,
  Question,
  QuestionView,
} from '@sandagent/core/internal'
import { onTestFinished } from 'vitest'
import { createPaint } from '../../../src/terminal/form/draw/paint.ts'
import { createFormModel, type FormModel } from '../../../src/terminal/form/form-model.ts'
import type { Key } from '../../../src/terminal/keyboard/key.ts'
import { holdAnswers, type OpenQuestion } from '../../../src/terminal/session/open-session.ts'
import type { Asked } from '../../../src/terminal/subject-lines.ts'

export interface OpenForm {
  session: AskSession
  model: FormModel
  /** What was sent last. */
  sent(): PageAnswer | undefined
  /** Final answers fail from now on, or with `null` no longer. */
  failWith(error: AskError | null): void
  /** Presses keys: names such as `down`, or characters. */
  press(...keys: string[]): void
  paste(text: string): void
  /** All lines that are drawn. */
  lines(): string[]
}

const NAMES = [
  ...[
    'up',
    'down',
    'left',
    'right',
    'return',
    'enter',
    'escape',
    'tab',
    'backspace',
    'delete',
    'home',
    'end',
  ],
  ...['pageup', 'pagedown'],
]

/** A form with these questions that takes keys, without a terminal. */
export function openForm(
  questions: readonly Question[],
  {
    columns = 80,
    rows = 40,
    now = Date.now,
    asked = { kind: 'question' },
    attach = async () => null,
    view,
    undoMs = 0,
    isWalk = false,
  }: {
    columns?: number
    rows?: number
    now?: () => number
    asked?: Asked
    undoMs?: number
    isWalk?: boolean
    attach?: OpenQuestion['attach'] /** As the host tells of the question. */
    view?: Partial<QuestionView>
  } = {},
): OpenForm {
  let sent: PageAnswer | undefined
  let failure: AskError | null = null
  const transport = {
    async send(answer: PageAnswer) {
      if (failure && answer.status !== 'pending') throw failure
      sent = answer
      return {}
    },
    ...(view && {
      subscribe(toolCallId: string, onView: (view: QuestionView) => void) {
        const known = {
          toolCallId,
          kind: 'question',
          state: 'open',
          questions: questions as AskedQuestion[],
        } as const
        onView({
          ...known,
          responses: {},
          revision: 0,
          declined: false,
          deadline: null,
          remainingMs: null,
          ...view,
        })
        return () => {}
      },
    }),
  }
  const { session, ...opened } = holdAnswers({ toolCallId: 'c', questions }, transport, undoMs)
  if (view) onTestFinished(session.start())
  const model = createFormModel({
    open: { session, record: asked, attach, ...opened },
    paint: createPaint(false),
    size: { columns, rows },
    ctrlC: 'leave',
    isWalk,
    now,
  })
  model.arrive()
  const key = (change: Partial<Key>): void =>
    model.press({ name: '', text: '', ctrl: false, meta: false, shift: false, ...change })
  return {
    session,
    model,
    sent: () => sent,
    failWith(error) {
      failure = error
    },
    press(...keys) {
      for (const pressed of keys) {
        const [, ctrl] = /^ctrl-(\w+)$/.exec(pressed) ?? []
        if (pressed === 'shift-tab') key({ name: 'tab', shift: true })
        else if (ctrl !== undefined) key({ name: ctrl, ctrl: true })
        else if (NAMES.includes(pressed)) key({ name: pressed })
        else for (const text of pressed) key({ text })
      }
    },
    paste: (text) => key({ name: 'paste', text }),
    lines: () => model.getDrawing().lines,
  }
}
