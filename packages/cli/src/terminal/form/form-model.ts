import type { Key } from '../keyboard/key.ts'
import type { OpenQuestion } from '../session/open-session.ts'
import type { Asked } from '../subject-lines.ts'
import { draw, wholeTexts } from './draw/draw.ts'
import { fieldOf } from './draw/draw-rows.ts'
import type { Drawing, DrawOptions } from './draw/drawing.ts'
import { type FormState, firstState, type Size } from './form-state.ts'
import { stateAt } from './move.ts'
import { press } from './press.ts'
import { isFiltering } from './rows.ts'

export type FormModel = ReturnType<typeof createFormModel>

/** What a form shows: a question that is open, and what kind it is. */
export type FormQuestion = Pick<OpenQuestion, 'session' | 'held' | 'subscribe'> & { record: Asked }

/**
 * The form without its terminal: keys go in, drawings come out.
 *
 * @param options.ctrlC what Ctrl-C does, in a word or two
 */
export function createFormModel({
  open,
  isWalk = false,
  now = Date.now,
  size: first,
  ...look
}: Pick<DrawOptions, 'paint' | 'size' | 'ctrlC'> & {
  open: FormQuestion
  isWalk?: boolean
  /** Milliseconds since 1970. */
  now?: () => number
}) {
  const { session, held } = open
  const listeners = new Set<() => void>()
  // An earlier draft is shown as it is.
  let state = stateAt(session.getSnapshot(), { ...firstState, asked: open.record, isWalk })
  let size = first
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
    for (const listener of [...listeners]) listener()
  }
  const set = (change: Partial<FormState>): void => {
    state = { ...state, ...change }
    redraw()
  }
  open.subscribe(redraw)

  return {
    getDrawing,
    /** Calls back after every change. The returned function ends this. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    press: (key: Key): void =>
      press(key, {
        session,
        held,
        snapshot: session.getSnapshot(),
        state,
        drawing: getDrawing(),
        set,
        showWhole: () => print(`${wholeTexts(options()).join('\n')}\n`),
      }),
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
      return isInField || state.isDeclining || isFiltering(state)
    },
    /** Whether Esc leads nowhere: the answer is not being sent, and may be entered. */
    isAtRest: (): boolean => held.get() === null && session.getSnapshot().isEditable,
    /** The person can have seen the form: keys count from now on. */
    arrive: (): void => set({ hasArrived: true }),
    /** Time has passed: what is shown of it is up to date afterwards. */
    tick: redraw,
    /** Where texts go that do not fit into the form. */
    onWholeTexts(next: (text: string) => void): void {
      print = next
    },
  }
}
