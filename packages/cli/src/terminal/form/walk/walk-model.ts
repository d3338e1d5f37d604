import { ARRIVAL_GUARD_MS } from '@sandagent/core/internal'
import type { Key } from '../../keyboard/key.ts'
import { createListeners } from '../../session/listeners.ts'
import type { OpenQuestion } from '../../session/open-session.ts'
import type { Walk } from '../../walk/walk.ts'
import { ALL_READ } from '../draw/draw-full.ts'
import { countdownLine } from '../draw/draw-head.ts'
import type { Drawing } from '../draw/drawing.ts'
import type { Paint } from '../draw/paint.ts'
import { cutLine, inLine } from '../draw/wrap.ts'
import type { RunEditor } from '../edit/editor.ts'
import { createFormModel, type FormModel } from '../form-model.ts'
import type { Size } from '../form-state.ts'
import type { Screen } from '../screen.ts'
import { type BatchState, drawBatch, FIRST_BATCH_STATE } from './batch-view.ts'
import { headLine, timeAt } from './head.ts'
import { helpLines, keysFor } from './help.ts'
import { pressBatch } from './press-batch.ts'

/** With fewer rows than this, one line says where the person is, or what is sent. */
const ROOMY = 16

/** The screen of a walk: a line about the walk, and the form of the question that is open. */
export function createWalkModel({
  walk,
  paint,
  size: first,
  now = Date.now,
}: {
  walk: Walk
  paint: Paint
  size: Size
  now?: () => number
}): Screen {
  const { emit, subscribe } = createListeners()
  let size = first
  let form: { open: OpenQuestion; model: FormModel } | null = null
  let batch: BatchState = FIRST_BATCH_STATE
  let batchText: Drawing['text'] = ALL_READ
  /** How many calls are in the batch, and whether keys count in it. */
  let batched = 0
  let hasBatchArrived = false
  let isOpening = false
  /** Whether nothing is left to decide, and whether keys count there. */
  let isAtEnd = false
  let hasEndArrived = false
  let hasHelp = false
  let news = ''
  let guard: NodeJS.Timeout | undefined
  let print = (_text: string): void => {}
  let runEditor: RunEditor | undefined
  let drawing: ReturnType<Screen['getDrawing']> | undefined

  const headLines = (): number => (size.rows < ROOMY ? 1 : 2)
  const formSize = (): Size => ({ ...size, rows: Math.max(4, size.rows - headLines()) })
  const redraw = (): void => {
    drawing = undefined
    emit()
  }
  /** Keys count once nothing was pressed for a moment: what is typed for one question decides no other one. */
  const waitForQuiet = (): void => {
    clearTimeout(guard)
    guard = setTimeout(() => {
      form?.model.arrive()
      hasBatchArrived = batched > 0
      hasEndArrived = isAtEnd
      redraw()
    }, ARRIVAL_GUARD_MS)
  }
  const follow = (): void => {
    const view = walk.getView()
    const open = view.entry?.open
    const { length } = view.batch?.entries ?? []
    if (length !== batched) {
      // Where a call has left, others are in its place: reading begins anew.
      batch =
        length > 0 && length < batched
          ? { ...FIRST_BATCH_STATE, hasReadAll: batch.hasReadAll }
          : FIRST_BATCH_STATE
      hasBatchArrived = false
      batched = length
      waitForQuiet()
    }
    if (open !== form?.open) {
      form = open
        ? {
            open,
            model: createFormModel({ open, isWalk: true, now, size: formSize(), paint, ctrlC: 'leave' }),
          }
        : null
      form?.model.subscribe(redraw)
      form?.model.onWholeTexts((text) => print(text))
      if (runEditor) form?.model.onEditor(runEditor)
      hasHelp = false
      if (form) waitForQuiet()
    }
    if (isAtEnd !== !view.entry) {
      isAtEnd = !view.entry
      hasEndArrived = false
      if (isAtEnd) waitForQuiet()
    }
    redraw()
  }
  walk.subscribe(follow)
  follow()

  const statusLine = (): string => {
    const { decided } = walk.getView()
    const held = decided?.entries.find(({ open }) => open.held.get())?.open.held.get()
    if (held)
      return paint.warn(countdownLine({ ...held, text: decided?.text ?? '' }, size.columns - 1, now()))
    if (decided) {
      const errors = decided.entries.map(({ open }) => open.session.getSnapshot().error)
      const why = inLine(errors.find(Boolean)?.message ?? '')
      return paint.warn(
        cutLine(`Not sent yet to ${decided.text}. It is tried again. ${why}`.trimEnd(), size.columns - 1),
      )
    }
    return cutLine(news, size.columns - 1)
  }

  function draw(): ReturnType<Screen['getDrawing']> {
    const view = walk.getView()
    const status = statusLine()
    const head = headLine(view, { nameOf: walk.nameOf, paint, width: size.columns - 1, now: now() })
    const top = headLines() === 2 ? [head, status] : [status === '' ? head : status]
    if (hasHelp)
      return {
        lines: [...top, ...helpLines(keysFor(form?.open), size.columns - 1, size.rows - 1 - top.length)],
        cursor: undefined,
      }
    if (view.batch) {
      const look = { nameOf: walk.nameOf, paint, size: formSize(), now: now() }
      const drawn = drawBatch(view.batch, batch, { ...look, hasArrived: hasBatchArrived })
      batchText = drawn.text
      return { lines: [...top, ...drawn.lines], cursor: undefined }
    }
    if (!form)
      return {
        lines: [
          ...top,
          view.entry
            ? 'Reading the question…'
            : `Nothing else waits.${hasEndArrived ? ' Enter sends now, z undoes, Ctrl-C leaves.' : ''}`,
        ],
        cursor: undefined,
      }
    const { lines, cursor } = form.model.getDrawing()
    return { lines: [...top, ...lines], cursor: cursor && { x: cursor.x, y: cursor.y + top.length } }
  }

  const getDrawing = (): ReturnType<Screen['getDrawing']> => {
    drawing ??= draw()
    return drawing
  }

  function pressInBatch(key: Key): void {
    // What is drawn says what was read.
    getDrawing()
    const act = pressBatch(key, batch, batchText)
    if (act.kind === 'leave') walk.closeBatch()
    else if (act.kind === 'decide') walk.decideBatch(act.decision)
    else {
      batch = { ...batch, problem: '', ...act.state }
      redraw()
    }
  }

  async function openBatch(): Promise<void> {
    isOpening = true
    const hasOthers = await walk.openBatch()
    isOpening = false
    if (!hasOthers) news = 'b decides several approvals of the same tool. No other one waits.'
    redraw()
  }

  function press(key: Key) {
    news = ''
    if (hasHelp) {
      hasHelp = false
      return redraw()
    }
    const view = walk.getView()
    if (isOpening || (view.batch && !hasBatchArrived)) return waitForQuiet()
    if (view.batch) return pressInBatch(key)
    const isWithin = form?.model.hasArrived() && form.model.isWithin()
    if (form && isWithin) return form.model.press(key)
    if (key.text === 'j' || key.text === 'k') {
      if (!walk.move(key.text === 'j' ? 1 : -1))
        news = key.text === 'j' ? 'This is the last one. k goes back.' : 'This is the first one.'
      return redraw()
    }
    if (key.text === 'z') return undo()
    if (view.entry ? !form?.model.hasArrived() : !hasEndArrived) return waitForQuiet()
    if (!view.entry && key.name === 'return') return walk.sendNow()
    if (key.name === 'escape') {
      if (view.decided) return undo()
      if (!form?.model.isAtRest()) return form?.model.press(key)
      news = 'There is nothing to go back to. d declines, Ctrl-C leaves.'
      return redraw()
    }
    if (key.text === '?') hasHelp = true
    else if (key.text === 's') {
      const until = walk.putOff()
      news =
        until === null
          ? 'This cannot be put off: its time runs out.'
          : `Not now: it comes back at ${timeAt(until)}. Undo: z`
    } else if (key.text === 'b') void openBatch()
    else form?.model.press(key)
    redraw()
  }
  function undo(): void {
    if (!walk.undo()) news = 'There is nothing to undo: what was sent is final.'
    redraw()
  }

  return {
    getDrawing,
    subscribe,
    press,
    resize(next) {
      // With another width, all lines are others.
      if (next.columns !== size.columns) batch = FIRST_BATCH_STATE
      size = next
      form?.model.resize(formSize())
      redraw()
    },
    tick: redraw,
    arrive() {},
    onWholeTexts(next) {
      print = next
      walk.onLine((line) => next(`${cutLine(line, size.columns - 1)}\n`))
    },
    onEditor(run) {
      runEditor = async (...text) => {
        const end = await run(...text)
        waitForQuiet()
        return end
      }
      form?.model.onEditor(runEditor)
    },
    close: () => clearTimeout(guard),
  }
}
