import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Key } from '../../../src/terminal/keyboard/key.ts'
import { createKeyReader } from '../../../src/terminal/keyboard/key-reader.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The keys of what a terminal sends: `ctrl-alt-shift-name`, or what they type. After each piece, `ms` milliseconds pass. */
function keysOf(pieces: readonly (string | Buffer)[], ms = 0): string[] {
  const keys: string[] = []
  const reader = createKeyReader((key) => keys.push(nameOf(key)))
  for (const piece of pieces) {
    reader.read(piece)
    vi.advanceTimersByTime(ms)
  }
  vi.advanceTimersByTime(3000)
  reader.close()
  expect(vi.getTimerCount()).toBe(0)
  return keys
}

const nameOf = ({ name, text, ctrl, meta, shift }: Key): string =>
  name === 'paste'
    ? `paste ${JSON.stringify(text)}`
    : [ctrl && 'ctrl', meta && 'alt', shift && 'shift', name || text].filter(Boolean).join('-')

const ESC = '\u001b'
const REPLIES = {
  'its kind (DA1)': `${ESC}[?62;22c`,
  'its version (DA2)': `${ESC}[>1;4000;21c`,
  'its unit (DA3)': `${ESC}P!|00000000${ESC}\\`,
  'its name (XTVERSION)': `${ESC}P>|tmux 3.3a${ESC}\\`,
  'its colour, to ST': `${ESC}]11;rgb:1e1e/1e1e/1e1e${ESC}\\`,
  'its colour, to BEL': `${ESC}]10;rgb:ffff/ffff/ffff\u0007`,
  'its clipboard': `${ESC}]52;c;${'MTIz'.repeat(50_000)}${ESC}\\`,
  'its title, with letters whose bytes are controls': `${ESC}]l1 ל 2 Ü 3${ESC}\\`,
  'a mode (DECRPM)': `${ESC}[?2026;2$y`,
  'a change of its theme': `${ESC}[?997;1n`,
  'its state (DSR)': `${ESC}[0n`,
  'the place of its cursor (CPR)': `${ESC}[24;80R`,
  'the place of its cursor in the first line (CPR)': `${ESC}[1;2R`,
  'its size': `${ESC}[8;24;80t`,
  'its parameters (DECREQTPARM)': `${ESC}[2;1;1;112;112;1;0x`,
  'a setting (DECRPSS)': `${ESC}P1$r0m${ESC}\\`,
  'a capability (XTGETTCAP)': `${ESC}P1+r544e=787465726d${ESC}\\`,
  'a picture (APC)': `${ESC}_Gi=31;OK${ESC}\\`,
  'a private message (PM)': `${ESC}^1${ESC}\\`,
  'a string (SOS)': `${ESC}X1${ESC}\\`,
  'the keys that it sends': `${ESC}[?1u`,
  'keys of Windows': `${ESC}[49;2;49;1;0;1_`,
  'the mouse (SGR)': `${ESC}[<0;11;12M${ESC}[<0;11;12m`,
  'the mouse (urxvt)': `${ESC}[32;11;12M`,
  'the mouse (X10)': `${ESC}[M 12`,
  'that it has the focus': `${ESC}[I${ESC}[O`,
  'a function key': `${ESC}[15~${ESC}OP${ESC}[[A`,
  '8-bit controls in UTF-8': '\u009b?62;22c\u009d11;rgb:1/1/1\u009c\u0090>|1\u009c',
  'parameters without an end in sight': `${ESC}[${'1;'.repeat(10_000)}c`,
}

describe('a reply of the terminal', () => {
  it.each(Object.entries(REPLIES))('presses no key: %s', (_, reply) => {
    const bytes = Buffer.from(reply)
    expect(keysOf([bytes])).toEqual([])
    expect(keysOf([`${reply}a`])).toEqual(['a'])
    if (bytes.length > 500) return
    expect(keysOf([...bytes].map((byte) => Buffer.from([byte])))).toEqual([])
    expect(
      keysOf(
        [...bytes].map((byte) => Buffer.from([byte])),
        30,
      ),
    ).toEqual([])
  })

  it('presses no key where its controls are single bytes', () => {
    expect(keysOf([Buffer.from('\u009b?62;22c\u009d11;rgb:1/1/1\u009c2', 'latin1')])).toEqual(['2'])
  })

  it('presses no key where the line is so slow that its Esc came alone', () => {
    expect(keysOf([ESC, '[?62;22c', '1'], 100)).toEqual(['escape', '1'])
    expect(keysOf([ESC, ']11;rgb:1e1e/1e1e/1e1e', `${ESC}\\`], 100)).toEqual(['escape'])
  })

  it('does not take the keys after it, if it breaks off', () => {
    expect(keysOf([`${ESC}]11;rgb:1`, 'x', '1'], 1001)).toEqual(['x', '1'])
    expect(keysOf([`${ESC}]11;rgb:1`, `${ESC}[A`, 'x'])).toEqual(['up', 'x'])
    expect(keysOf([`${ESC}]11;rgb:1`, '\u0003'])).toEqual(['ctrl-c'])
    expect(keysOf([`${ESC}[1;\u0018x`])).toEqual(['x'])
  })

  it('presses no key between keys, in whatever pieces it comes', () => {
    const part = fc.oneof(
      fc.constantFrom(...Object.values(REPLIES).filter(({ length }) => length < 100)),
      fc.constantFrom('a', 'é', '漢', '👍', '\r', `${ESC}[B`, `${ESC}OA`),
    )
    const keys: Record<string, string> = { '\r': 'return', [`${ESC}[B`]: 'down', [`${ESC}OA`]: 'up' }
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.array(fc.nat(400), { maxLength: 8 }),
        (parts, cuts) => {
          const bytes = Buffer.from(parts.join(''))
          const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
          const pieces = places.slice(1).map((to, index) => bytes.subarray(places[index], to))
          const pressed = parts.filter((each) => !Object.values(REPLIES).includes(each))
          expect(keysOf(pieces)).toEqual(pressed.map((each) => keys[each] ?? each))
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('a key', () => {
  it.each([
    ['a lone Esc, after a moment', ESC, 'escape'],
    ['Esc twice', `${ESC}${ESC}`, 'escape'],
    ['Alt-Up, as two sequences', `${ESC}${ESC}[A`, 'alt-up'],
    ['Alt-Enter', `${ESC}\r`, 'alt-return'],
    ['Alt-B', `${ESC}B`, 'alt-shift-b'],
    ['Ctrl-Left', `${ESC}[1;5D`, 'ctrl-left'],
    ['Shift-Tab', `${ESC}[Z`, 'shift-tab'],
    ['Delete', `${ESC}[3~`, 'delete'],
    ['End, as rxvt sends it', `${ESC}[8~`, 'end'],
    ['Ctrl-Enter, by modifyOtherKeys', `${ESC}[27;5;13~`, 'ctrl-return'],
    ['Ctrl-1, by modifyOtherKeys', `${ESC}[27;5;49~`, undefined],
    ['Shift-A, by modifyOtherKeys', `${ESC}[27;2;65~`, 'A'],
    ['Ctrl-C, by modifyOtherKeys', `${ESC}[27;5;99~`, 'ctrl-c'],
    ['Esc, by the kitty protocol', `${ESC}[27u`, 'escape'],
    ['Ctrl-Enter, by the kitty protocol', `${ESC}[13;5u`, 'ctrl-return'],
    ['Shift-Enter, by the kitty protocol', `${ESC}[13;2u`, 'shift-return'],
    ['Ctrl-C, by the kitty protocol', `${ESC}[99;5u`, 'ctrl-c'],
    ['Ctrl-C on a Russian keyboard, with Num Lock', `${ESC}[1089::99;133u`, 'ctrl-c'],
    ['Ctrl-J, by the kitty protocol', `${ESC}[106;5u`, 'enter'],
    ['a digit, by the kitty protocol', `${ESC}[49u`, '1'],
    ['Shift and a digit, by the kitty protocol', `${ESC}[49:33;2u`, '!'],
    ['a key that is let go', `${ESC}[49;1:3u`, undefined],
    ['Super and a digit', `${ESC}[49;9u`, undefined],
    ['the Enter of the keypad, by the kitty protocol', `${ESC}[57414u`, 'return'],
    ['a digit of the keypad, by the kitty protocol', `${ESC}[57401u`, '2'],
    ['Caps Lock, by the kitty protocol', `${ESC}[57358u`, undefined],
    ['a number that is no character', `${ESC}[1114112u`, undefined],
  ])('is the key that it means: %s', (_, sent, key) => {
    expect(keysOf([sent])).toEqual(key === undefined ? [] : [key])
    expect(keysOf([...sent])).toEqual(key === undefined ? [] : [key])
  })
})

describe('a pasted text', () => {
  const [on, off] = [`${ESC}[200~`, `${ESC}[201~`]

  it('is one text, with its line breaks and without its sequences', () => {
    expect(keysOf([`${on}1\r\n2\r`, `\t${ESC}[31m漢${ESC}[0m${ESC}]8;;x\u0007\u0003`, off])).toEqual([
      'paste "1\\n2\\n\\t漢\\u0003"',
    ])
  })

  it('does not end before its last end', () => {
    expect(keysOf([`${on}ls${off}1\r${off}`])).toEqual(['paste "ls1\\n"'])
    expect(keysOf([`${on}ls${off}`, `1\r${off}`], 20)).toEqual(['paste "ls1\\n"'])
    expect(keysOf([`${on}ls${off}1\r`])).toEqual(['paste "ls1\\n"'])
    expect(keysOf([`${on}${ESC}]${off}`, 'x'], 60)).toEqual(['paste ""', 'x'])
  })

  it('without an end is left by Ctrl-C', () => {
    expect(keysOf([`${on}ls`, '\u0003', 'x'], 1500)).toEqual(['ctrl-c', 'x'])
  })
})
