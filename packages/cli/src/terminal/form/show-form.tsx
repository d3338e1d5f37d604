import { ARRIVAL_GUARD_MS } from '@sandagent/core/internal'
import { render } from 'ink'
import type { CliIo } from '../../io.ts'
import type { Keyboard } from '../keyboard/keyboard.ts'
import type { Walk } from '../walk/walk.ts'
import { createPaint, type Paint } from './draw/paint.ts'
import { type EditorEnd, runEditor } from './edit/editor.ts'
import { Form } from './form.tsx'
import { createFormModel, type FormQuestion } from './form-model.ts'
import type { Size } from './form-state.ts'
import type { Screen } from './screen.ts'
import { createWalkModel } from './walk/walk-model.ts'

interface Terminal {
  stdout: CliIo['stdout']
  keyboard: Keyboard
  /** The command of the person's own editor, if they have one. */
  editor: string | undefined
  signal: AbortSignal
}

/**
 * Shows the form of a question until the signal aborts. Then nothing of the form is left on the screen.
 *
 * @param options.ctrlC what Ctrl-C does, in a word or two
 */
export const showForm = ({
  open,
  ctrlC,
  ...terminal
}: Terminal & { open: FormQuestion; ctrlC: string }): Promise<void> =>
  showScreen(({ paint, size }) => createFormModel({ open, paint, ctrlC, size }), terminal)

/** Shows a walk through the questions that wait until the signal aborts. */
export const showWalk = ({ walk, ...terminal }: Terminal & { walk: Walk }): Promise<void> =>
  showScreen((look) => createWalkModel({ walk, ...look }), terminal)

async function showScreen(
  create: (look: { paint: Paint; size: Size }) => Screen,
  { stdout, keyboard, editor, signal }: Terminal,
): Promise<void> {
  if (signal.aborted) return
  const model = create({ paint: createPaint(stdout.hasColors?.() === true), size: sizeOf(stdout) })
  // Before Ink listens: it draws at once.
  const onResize = (): void => model.resize(sizeOf(stdout))
  stdout.on('resize', onResize)
  const show = (): Shown => {
    let hasArrived = false
    let timer: NodeJS.Timeout | undefined
    /** Keys count once nothing was pressed for a moment: what was begun before does not end as another answer. */
    const waitForQuiet = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        hasArrived = true
        model.arrive()
      }, ARRIVAL_GUARD_MS)
    }
    const stopReading = keyboard.read({
      onKey(key) {
        if (!hasArrived) waitForQuiet()
        model.press(key)
      },
      // The shell writes where the form was.
      onStop() {
        hide()
        return () => {
          shown = show()
        }
      },
    })
    const form = render(<Form model={model} />, {
      stdout: sized(stdout) as NodeJS.WriteStream,
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: false,
    })
    waitForQuiet()
    const hide = (): void => {
      clearTimeout(timer)
      // Ink leaves on the screen what it drew last.
      form.rerender(null)
      form.unmount()
      stopReading()
    }
    return { ended: form.waitUntilExit(), hide }
  }
  type Shown = { ended: Promise<unknown>; hide(): void } | null
  let shown: Shown = show()
  let editing: Promise<EditorEnd> | undefined
  const editText = async (command: string, text: string, fileName: string): Promise<EditorEnd> => {
    shown?.hide()
    shown = null
    const end = await runEditor(text, { command, fileName, signal, keyboard })
    if (!signal.aborted) shown = show()
    return end
  }
  if (editor !== undefined)
    model.onEditor((...text) => {
      editing = editText(editor, ...text)
      return editing
    })
  try {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    // Ink ends by itself where an editor takes the terminal, and if drawing fails.
    for (let last: Shown = null; shown !== null && shown !== last; ) {
      last = shown
      await Promise.race([aborted, shown.ended])
      await editing
    }
  } finally {
    model.close?.()
    stdout.off('resize', onResize)
    shown?.hide()
  }
}

/** A terminal of unknown size reports none, or 0. */
const sizeOf = ({ columns, rows }: CliIo['stdout']): Size => ({ columns: columns || 80, rows: rows || 24 })

/** Ink draws nothing where a terminal says that it has no size. */
const sized = (stdout: CliIo['stdout']): CliIo['stdout'] =>
  new Proxy(stdout, {
    get(target, name) {
      if (name === 'columns' || name === 'rows') return sizeOf(target)[name]
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
