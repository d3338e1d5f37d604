import { ARRIVAL_GUARD_MS, systemClock } from '@sandagent/core/internal'
import { type MouseEvent as ReactMouseEvent, type RefObject, useEffect, useRef } from 'react'
import { observeShifts, type ShiftObserver } from './observe-shifts.ts'
import { useBrowserEffect } from './use-browser-effect.ts'

/** A pointer that moves farther between press and release drags: it picks nothing. In pixels; fingers are less exact. */
const STEADY_HAND_PX = 6
const STEADY_TOUCH_PX = 16

/** Where a press of the pointer began. */
interface Press {
  /** What would be picked or pressed, if anything. */
  target: Element | null
  x: number
  y: number
  isTouch: boolean
  /** Where the selection of text began and ended before. */
  selected: readonly unknown[]
}

export interface PointerGuard {
  /** Stops a click that was not meant. For the element around all that can be picked or pressed. */
  onClickCapture(click: ReactMouseEvent): void
}

/**
 * Tells clicks that were meant from the others. A click counts if the pointer was pressed and released on the same
 * target, stayed there, selected no text, and if the target has not moved for a moment. The second click of a double
 * click never counts.
 *
 * While targets have just moved, the form has the attribute `data-settling`.
 */
export function usePointerGuard(root: RefObject<HTMLElement | null>, isActive: boolean): PointerGuard {
  const press = useRef<Press | undefined>(undefined)
  const isSettling = useRef(false)
  const shifts = useRef<ShiftObserver | undefined>(undefined)

  useEffect(() => {
    const form = root.current
    if (!form || !isActive) return
    // In a shadow tree, the document does not see what was pressed.
    const around = form.getRootNode()
    const onPointerDown = (event: Event): void => {
      // What moved since the last frame was not yet seen there.
      shifts.current?.check()
      press.current = pressOf(event as PointerEvent, isSettling.current)
    }
    let cancelTimer = (): void => {}
    const settle = (): void => {
      cancelTimer()
      isSettling.current = false
      delete form.dataset.settling
    }
    around.addEventListener('pointerdown', onPointerDown, true)
    shifts.current = observeShifts(form, () => {
      cancelTimer()
      isSettling.current = true
      form.dataset.settling = ''
      cancelTimer = systemClock.after(ARRIVAL_GUARD_MS, settle)
    })
    return () => {
      around.removeEventListener('pointerdown', onPointerDown, true)
      shifts.current?.stop()
      settle()
    }
  }, [root, isActive])

  useBrowserEffect(() => shifts.current?.check())

  return {
    onClickCapture(click) {
      const before = press.current
      press.current = undefined
      if (isMeant(click.nativeEvent, before, isSettling.current)) return
      click.preventDefault()
      click.stopPropagation()
    },
  }
}

function isMeant(click: MouseEvent, press: Press | undefined, isSettling: boolean): boolean {
  const target = targetOf(click.target)
  if (click.detail === 0 || !target) return true // made by a key or by an assistive tool
  if (click.detail > 1) return false
  if (!press) return true // an assistive tool presses no pointer
  const distance = Math.hypot(click.clientX - press.x, click.clientY - press.y)
  return (
    !isSettling &&
    press.target === target &&
    distance <= (press.isTouch ? STEADY_TOUCH_PX : STEADY_HAND_PX) &&
    !hasSelected(target, press.selected)
  )
}

const pressOf = (event: PointerEvent, isSettling: boolean): Press => ({
  target: isSettling ? null : targetOf(event.target),
  x: event.clientX,
  y: event.clientY,
  isTouch: event.pointerType === 'touch',
  selected: endsOf(getSelection()),
})

/** What a click picks or presses: an option with all that belongs to it, or a button. Links are left alone. */
function targetOf(place: EventTarget | null): Element | null {
  const element = place as Partial<Element> | null
  if (!element?.closest || element.closest('a, fieldset:disabled')) return null
  return (
    element.closest('button') ??
    element.closest('.sa-option') ??
    element.closest('label, [type=radio], [type=checkbox]')
  )
}

/** Whether text in the target was selected since then. */
function hasSelected(target: Element, before: readonly unknown[]): boolean {
  const selection = getSelection()
  // The text itself may change by itself, for instance that of the status.
  const isNew = endsOf(selection).some((end, index) => end !== before[index])
  return isNew && `${selection}` !== '' && selection?.containsNode(target, true) === true
}

const endsOf = (selection: Selection | null): readonly unknown[] => [
  selection?.anchorNode,
  selection?.anchorOffset,
  selection?.focusNode,
  selection?.focusOffset,
]
