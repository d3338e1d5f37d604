/** Keys typed for a field that has vanished count for nothing else until the keyboard was still for this long. */
const LOST_TYPING_MS = 2_000

/** Elements that take keys themselves. */
const TAKES_KEYS =
  'input, textarea, select, dialog, iframe, [contenteditable]:not([contenteditable=false]), [role=dialog], [role=alertdialog], [role=textbox], [role=combobox], [role=listbox], [role=menu], [role=application]'

const takesKeys = (target: EventTarget | undefined): target is Element =>
  target instanceof Element && target.matches(TAKES_KEYS)

export const isTaken = (event: Event): boolean => event.composedPath().some(takesKeys)

/** Where the person types, the form around it, and when the focus has left it. */
let field: Element | undefined
let form: Element | null | undefined
let leftAt: number | undefined
let lastKey: Event | undefined
let isGuarded = false

/**
 * Stops keys that are typed for a field which has vanished or was disabled: they were meant for nothing that is there now.
 * Keys count again after a click, Tab, or a while without them. It lasts as long as the page, where questions come and go.
 */
export function guardLostTyping(): void {
  if (isGuarded) return
  isGuarded = true
  for (const type of ['pointerdown', 'focusin', 'focusout', 'keydown'] as const)
    document.addEventListener(type, follow, true)
}

function follow(event: Event & Partial<KeyboardEvent>): void {
  const { type, key } = event
  const [target] = event.composedPath()
  const now = Date.now()
  if (type === 'focusout') leftAt = now
  else if (isTaken(event)) {
    field = takesKeys(target) ? target : undefined // not a button in a dialog
    form = field?.closest('form')
    leftAt = undefined
    lastKey = key ? event : undefined
  } else if (
    type === 'pointerdown' ||
    key === 'Tab' ||
    !isGone() ||
    // A form moves the focus within itself after the person's own actions, and a page after a key that it acts on. Not every
    // browser tells of a field that was removed.
    (key
      ? now - (leftAt ?? now) >= LOST_TYPING_MS
      : form?.contains(target as Element) || lastKey?.defaultPrevented)
  )
    field = undefined
  else if (key) {
    leftAt = now
    if (/^(.|Enter)$/u.test(key) && !event.ctrlKey && !event.metaKey) event.preventDefault()
  }
}

const isGone = (): boolean =>
  field !== undefined &&
  (!field.isConnected || field.matches(':disabled') || field.checkVisibility?.() === false)
