import type { Key } from '../keyboard/key.ts'
import { createListeners } from '../session/listeners.ts'
import type { OpenQuestion } from '../session/open-session.ts'
import type { Asked } from '../subject-lines.ts'
import { draw, wholeTexts } from './draw/draw.ts'
import { fieldOf } from './draw/draw-rows.ts'
import type { Drawing, DrawOptions } from './draw/drawing.ts'
import type { RunEditor } from './edit/editor.ts'
import { lookAtChanges, withKeptChange } from './edit/press-edit.ts'
import { type FormState, firstState, type Size } from './form-state.ts'
import { type Pressed, stateAt } from './move.ts'
import { press } from './press.ts'
import { isFiltering } from './rows.ts'

export type FormModel = ReturnType<typeof createFormModel>

/** What a form shows: a question that is open, and what kind it is. */
export type FormQuestion = Pick<OpenQuestion, 'session' | 'held' | 'subscribe' | 'attach'> & { record: Asked }

/**
 * The form without its terminal: keys go in, drawings come out.
 *
 * @param options.ctrlC what Ctrl-C does, in a word or two
 */
export function createFormModel({
  open,
  isWalk = false,
  now = Date.now,
  size: firstSize,
  ...look
}: Pick<DrawOptions, 'paint' | 'size' | 'ctrlC'> & {
  open: FormQuestion
  isWalk?: boolean
  /** Milliseconds since 1970. */
  now?: () => number
}) {
  const { session, held } = open
  let runEditor: RunEditor | undefined
  const { emit, subscribe } = createListeners()
  // An earlier draft is shown as it is.
  const first = { ...firstState, asked: open.record, isWalk, secrets: new Map() }
  let state = withKeptChange(session.getSnapshot(), stateAt(session.getSnapshot(), first))
  let size = firstSize
  let drawing: Drawing | undefined
  let print = (_text: string): void => {}

  const options = () => ({
    snapshot: session.getSnapshot(),
    held: held.get(),
    state,
    size,
    now: now(),
    ...look,
  })
  const getDrawing = (): Drawing => {
    drawing ??= draw(options())
    return drawing
  }
  const redraw = (): void => {
    drawing = undefined
    emit()
  }
  const set = (change: Partial<FormState>): void => {
    state = { ...state, ...change }
    redraw()
  }
  const follow = (): void => {
    const { view } = session.getSnapshot()
    if (view && !state.scopes) state = { ...state, scopes: view.scopes ?? [] }
    redraw()
  }
  open.subscribe(follow)
  follow()

  const pressed = (): Pressed => ({
    session,
    held,
    snapshot: session.getSnapshot(),
    state,
    drawing: getDrawing(),
    set,
    showWhole: () => print(`${wholeTexts(options()).join('\n')}\n`),
    openEditor: () => void editElsewhere(),
    attach: open.attach,
  })
  async function editElsewhere(): Promise<void> {
    const { edit } = state
    if (!runEditor || !edit) return
    // What comes next from the keyboard was not meant for what is shown then.
    set({ hasArrived: false })
    const end = await runEditor(edit.text, edit.field === null ? 'input.json' : 'text.txt')
    if ('fault' in end) set({ problem: end.fault })
    else lookAtChanges(pressed(), { ...edit, text: end.text })
  }

  return {
    getDrawing,
    /** Calls back after every change. The returned function ends this. */
    subscribe,
    press: (key: Key): void => press(key, pressed()),
    resize(next: Size): void {
      // With another width, all lines are others.
      if (next.columns !== size.columns) state = { ...state, scrolled: 0, hasReadAll: false }
      size = next
      redraw()
    },
    /** Whether keys count. */
    hasArrived: (): boolean => state.hasArrived,
    /** Whether letters are a text, or Esc leads back within the form. */
    isWithin(): boolean {
      const { rows, mark } = getDrawing()
      const isInField = fieldOf(rows[mark], session.getSnapshot(), state) !== null
      return isInField || state.part !== 'question' || isFiltering(state)
    },
    /** Whether Esc leads nowhere: the answer is not being sent, and may be entered. */
    isAtRest: (): boolean => held.get() === null && session.getSnapshot().isEditable,
    /** The person can have seen the form: keys count from now on. */
    arrive: (): void => set({ hasArrived: true }),
    /** Time has passed: what is shown of it is up to date afterwards. */
    tick: redraw,
    /** How a text is edited in the person's own editor. */
    onEditor(run: RunEditor): void {
      runEditor = run
      set({ hasEditor: true })
    },
    /** Where texts go that do not fit into the form. */
    onWholeTexts(next: (text: string) => void): void {
      print = next
    },
  }
}
