import { ESCAPE, type Key, keyOfCharacter, keyOfSequence, keyOfShift, pasted } from './key.ts'

/** How long a lone Esc waits for the rest of a longer sequence, and the end of a paste for more of it, in milliseconds. */
const ESC_MS = 50
/** How long any other beginning of a sequence waits for its end, in milliseconds. */
const UNFINISHED_MS = 1000
/** Longer parameters are of no key. */
const MOST_PARAMETERS = 64
/** No answer is as long: what is pasted beyond it is lost. */
const MOST_PASTED = 1_000_000
const [CTRL_C, BELL, CAN, SUB, ESC, ST] = ['\u0003', '\u0007', '\u0018', '\u001a', '\u001b', '\u009c']

/** The controls that begin a sequence by themselves, and what stands for them behind Esc. */
const EIGHT_BIT = new Map(
  [...'NOPX[]^_'].map((letter) => [String.fromCharCode(letter.charCodeAt(0) + 64), letter]),
)

/**
 * Where the reader is. `skip`: within the coordinates of a mouse, or the letter of a function key. `after escape`: Esc was
 * given as a key, but a slow line may still bring the rest of a sequence.
 */
type Place =
  | 'ground'
  | 'escape'
  | 'short'
  | 'control'
  | 'shift'
  | 'string'
  | 'string escape'
  | 'skip'
  | 'after escape'

/**
 * Makes keys of what a terminal sends. Each control sequence is taken whole, known or not: what a terminal replies to a program
 * presses no key.
 */
export function createKeyReader(onKey: (key: Key) => void) {
  let place: Place = 'ground'
  let meta = false
  let parameters = ''
  let skip = 0
  let paste: { text: string; isEnding: boolean; isLost: boolean } | null = null
  let bytes: number[] = []
  let missing = 0
  let timer: NodeJS.Timeout | undefined
  let turn: NodeJS.Immediate | undefined

  const press = (key: Key | null): void => {
    if (key && !paste) onKey(key)
  }

  function type(character: string): void {
    if (!paste) press(keyOfCharacter(character, meta))
    else if (paste.text.length < MOST_PASTED) paste.text += character
  }

  /** The character after Esc says what begins. An 8-bit control is both in one. */
  function begin(character: string): void {
    parameters = ''
    if (character === '[') place = 'control'
    else if (character === 'O' || character === 'N') place = 'shift'
    else if (']PX^_'.includes(character)) place = 'string'
    else if (character >= ' ' && character <= '/') place = 'short'
    else {
      place = 'ground'
      meta = true
      if (!paste) type(character)
    }
  }

  function endControl(final: string): void {
    place = 'ground'
    // Older reports of the mouse have coordinates behind their end, and the Linux console a letter.
    skip = parameters === '' ? ({ '[': 1, M: 3, T: 6, t: 2 }[final] ?? 0) : 0
    if (skip > 0) place = 'skip'
    else if (final === '~' && parameters === '200') paste ??= { text: '', isEnding: false, isLost: false }
    else if (final === '~' && parameters === '201') {
      if (paste) paste.isEnding = true
    } else {
      const key = keyOfSequence(parameters, final)
      press(key && meta ? { ...key, meta } : key)
    }
  }

  function take(character: string): void {
    switch (place) {
      case 'ground':
      case 'after escape':
        meta = false
        if (character === ESC) place = 'escape'
        else if (EIGHT_BIT.has(character)) begin(EIGHT_BIT.get(character) as string)
        else if (place === 'after escape' && '[]'.includes(character)) begin(character)
        else {
          place = 'ground'
          type(character)
        }
        return
      case 'escape':
        if (character !== ESC) begin(character)
        else {
          // Some terminals send Alt as an Esc before the sequence of a key.
          if (meta) press(ESCAPE)
          meta = true
        }
        return
      case 'skip':
        skip -= 1
        if (skip === 0) place = 'ground'
        return
      case 'string':
      case 'string escape':
        if (character === BELL || character === ST || character === CAN || character === SUB) place = 'ground'
        else if (character === ESC) place = 'string escape'
        else if (place === 'string escape') {
          meta = false
          if (character === '\\') place = 'ground'
          else begin(character)
        }
        return
    }
    if (character === ESC) {
      place = 'escape'
      meta = false
    } else if (character === CAN || character === SUB) place = 'ground'
    else if (place === 'control' && character >= ' ' && character <= '?') {
      if (parameters.length <= MOST_PARAMETERS) parameters += character
    } else if (place === 'control' && character >= '@' && character <= '~') endControl(character)
    else if (place === 'shift' && character >= '@') {
      place = 'ground'
      const key = keyOfShift(character)
      press(key && meta ? { ...key, meta } : key)
    } else if (place === 'short' && character >= '0') place = 'ground'
  }

  /** A terminal that is not told otherwise sends UTF-8. A byte that is none stands for itself: it may be an 8-bit control. */
  function takeByte(byte: number): void {
    if (missing > 0 && byte >= 0x80 && byte < 0xc0) {
      bytes.push(byte)
      missing -= 1
      if (missing === 0) take(Buffer.from(bytes).toString())
      return
    }
    missing =
      byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xc2 && byte < 0xe0 ? 1 : 0
    bytes = [byte]
    if (missing === 0) take(String.fromCharCode(byte))
  }

  /** Nothing has come for a while: what was begun has ended. */
  function pause(): void {
    const had = place
    place = 'ground'
    missing = 0
    if (had === 'escape') {
      press(ESCAPE)
      place = 'after escape'
    }
    if (paste?.isEnding) {
      const { text, isLost } = paste
      paste = null
      if (!isLost) onKey(pasted(text.replace(/\r\n?/g, '\n')))
    }
    wait()
  }

  function wait(): void {
    clearTimeout(timer)
    clearImmediate(turn)
    if (place === 'ground' && missing === 0 && !paste?.isEnding) return
    const ms = place === 'escape' || (place === 'ground' && paste?.isEnding) ? ESC_MS : UNFINISHED_MS
    timer = setTimeout(() => {
      // On a busy machine the rest may be there already, not read yet.
      turn = setImmediate(pause)
    }, ms)
  }

  return {
    /** Takes what the terminal sends, in pieces of any size. */
    read(chunk: Buffer | string): void {
      const whole = Buffer.from(chunk as Buffer)
      // A person who gives up on anything must get out.
      if (whole.toString() === CTRL_C) {
        place = 'ground'
        paste = null
        meta = false
      }
      for (const byte of whole) takeByte(byte)
      wait()
    },
    /** Somebody else reads: what is being pasted is not for them. */
    drop(): void {
      if (paste) paste.isLost = true
    },
    /** Nobody reads: what was begun is no key, and no timer is left. */
    close(): void {
      place = 'ground'
      paste = null
      missing = 0
      clearTimeout(timer)
      clearImmediate(turn)
    },
  }
}
