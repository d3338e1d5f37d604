/** A key that was pressed, or a text that was pasted. */
export interface Key {
  /** The key: `up`, `return`, `escape`, a letter with Ctrl or Alt, …; `paste` for a pasted text; empty for other characters. */
  name: string
  /** What the key types, or the pasted text. Empty for keys that type nothing. */
  text: string
  ctrl: boolean
  meta: boolean
  shift: boolean
}

type Modifiers = Pick<Key, 'ctrl' | 'meta' | 'shift'>

const NONE: Modifiers = { ctrl: false, meta: false, shift: false }

const named = (name: string, modifiers: Partial<Modifiers> = {}): Key => ({
  ...NONE,
  ...modifiers,
  name,
  text: '',
})

export const ESCAPE: Key = named('escape')
export const pasted = (text: string): Key => ({ ...NONE, name: 'paste', text })

/** Keys by the character that they send. Ctrl-J is `enter`: it begins a line. */
const BY_CHARACTER: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u001b': 'escape',
}
const BY_LETTER: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
}
const BY_NUMBER = ['', 'home', 'insert', 'delete', 'end', 'pageup', 'pagedown', 'home', 'end']

/** Keys of a keypad in the kitty keyboard protocol: what they type, or their name. */
const KEYPAD_FROM = 57399
const KEYPAD = [...'0123456789./*-+', 'return', '=', 'left', 'right', 'up', 'down', 'pageup', 'pagedown']
KEYPAD.push('home', 'end', 'insert', 'delete')

/** The key that sends a character, with Alt or without. `null` for control characters that are no key here. */
export function keyOfCharacter(character: string, meta = false): Key | null {
  const name = BY_CHARACTER[character]
  if (name !== undefined) return named(name, { meta })
  if (character >= '\u0001' && character <= '\u001a')
    return named(String.fromCharCode(character.charCodeAt(0) + 96), { ctrl: true, meta })
  if (character < ' ' || (character >= '\u007f' && character < '\u00a0')) return null
  const lower = character.toLowerCase()
  return meta ? named(lower, { meta, shift: lower !== character }) : { ...NONE, name: '', text: character }
}

/** The key of `ESC O` and a letter. `ESC O M` is the Enter of a keypad. */
export const keyOfShift = (letter: string): Key | null =>
  keyNamed(letter === 'M' ? 'return' : BY_LETTER[letter], NONE)

/**
 * The key of a control sequence: those of xterm, of its `modifyOtherKeys` (`27;M;K~`) and of the kitty keyboard protocol
 * (`K;Mu`). `null` for all others, such as what a terminal replies to a program.
 */
export function keyOfSequence(parameters: string, final: string): Key | null {
  if (!/^[\d;:]*$/.test(parameters)) return null
  const fields = parameters.split(';').map((field) => field.split(':').map(Number))
  const [[code = 0, shifted = 0, base = 0] = [], second = [], [third] = []] = fields
  const isOther = final === '~' && code === 27 && fields.length === 3
  const [modifierBits = 0, event = 0] = second
  const modifiers = modifiersOf(modifierBits)
  // The key was let go, or it is meant for the window manager.
  if (event === 3 || modifiers === null || fields.length > 3) return null
  if (isOther) return keyOfCode(third ?? 0, {}, modifiers)
  if (final === 'u' && parameters !== '') return keyOfCode(code, { shifted, base }, modifiers)
  if (fields.length > 2) return null
  if (final === '~') return keyNamed(BY_NUMBER[code], modifiers)
  if (code > 1) return null
  return final === 'Z' ? named('tab', { shift: true }) : keyNamed(BY_LETTER[final], modifiers)
}

const keyNamed = (name: string | undefined, modifiers: Modifiers): Key | null =>
  name ? named(name, modifiers) : null

/**
 * Bits for Shift, Alt and Ctrl, plus one. Those of the locks say nothing, and with Super, Hyper or Meta no key is for a form.
 */
function modifiersOf(field: number): Modifiers | null {
  const bits = Math.max(0, field - 1)
  if (bits & 0b111000) return null
  return { shift: (bits & 1) !== 0, meta: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 }
}

/** @param layout what the key types with Shift, and what it would on an English keyboard, if the terminal says so */
function keyOfCode(
  code: number,
  { shifted = 0, base = 0 }: { shifted?: number; base?: number },
  { ctrl, meta, shift }: Modifiers,
): Key | null {
  const onKeypad = KEYPAD[code - KEYPAD_FROM]
  if (onKeypad !== undefined && onKeypad.length > 1) return named(onKeypad, { ctrl, meta, shift })
  // Other keys without a character are in this private range.
  if (code > 0x10ffff || (onKeypad === undefined && code >= 57344 && code <= 63743)) return null
  const own = onKeypad ?? String.fromCodePoint(code)
  const name = BY_CHARACTER[own]
  if (name !== undefined) return named(name, { ctrl, meta, shift })
  const english = own > '~' && base > 0 && base < 127 ? String.fromCodePoint(base) : own
  // As without the protocol: Ctrl-J begins a line, and Ctrl-[ is Esc.
  if (ctrl && /^[a-z[]$/i.test(english))
    return keyOfCharacter(String.fromCharCode(english.charCodeAt(0) & 0x1f), meta)
  if (ctrl) return null
  const typed = shift
    ? shifted > 0 && shifted <= 0x10ffff
      ? String.fromCodePoint(shifted)
      : own.toUpperCase()
    : own
  return keyOfCharacter(meta ? english : typed, meta)
}
