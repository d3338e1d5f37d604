// Changes texts and bytes: cut, doubled, flipped, with hostile pieces inside.

import { NUMBERS, TEXTS, TIMES } from './hostile.mjs'

/** @typedef {import('./random.mjs').Random} Random */

/** How long a text may become, in characters. */
const MOST_CHARS = 400_000

/**
 * @param {Random} random
 * @param {string} text
 * @param {readonly string[]} words that the format knows
 * @returns {string}
 */
export function mutatedText(random, text, words = []) {
  let mutated = text
  for (let rounds = 1 + (random.chance(0.4) ? random.int(4) : 0); rounds > 0; rounds--)
    mutated = changed(random, mutated, words)
  return mutated.length > MOST_CHARS ? mutated.slice(0, MOST_CHARS) : mutated
}

/**
 * @param {Random} random
 * @param {string} text
 * @param {readonly string[]} words
 */
function changed(random, text, words) {
  const from = random.int(text.length + 1)
  const to = Math.min(text.length, from + random.int(random.chance(0.5) ? 4 : text.length + 1))
  const [head, part, tail] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  switch (random.int(9)) {
    case 0:
      return head
    case 1:
      return head + tail
    case 2:
      return head + part + part + tail
    case 3:
      return head + part.repeat(1 + random.int(random.chance(0.05) ? 3000 : 20)) + tail
    case 4:
      return head + String.fromCharCode(random.int(random.chance(0.7) ? 0x80 : 0x10000)) + tail
    case 5:
      return head + randomText(random) + tail
    case 6:
      return tail + part + head
    case 7:
      return words.length > 0 ? head + random.pick(words) + tail : head + random.pick(TEXTS) + part + tail
    default:
      return head + random.pick(TEXTS) + tail
  }
}

/**
 * Text without a form.
 *
 * @param {Random} random
 */
export function randomText(random) {
  switch (random.int(7)) {
    case 0:
      return random.pick(TEXTS)
    case 1:
      return random.pick(TIMES)
    case 2:
      return random.pick(NUMBERS)
    case 3:
      return random.pick(TEXTS).repeat(random.int(20))
    case 4:
      // Long texts are few: they take most of the time.
      return random.chance(0.01) ? 'x'.repeat(random.int(300_000)) : 'a b'.repeat(random.int(60))
    default:
      return Array.from({ length: random.int(24) }, () =>
        String.fromCharCode(random.int(random.chance(0.8) ? 0x80 : 0x10000)),
      ).join('')
  }
}

/**
 * @param {Random} random
 * @param {Uint8Array} bytes
 * @returns {Buffer}
 */
export function mutatedBytes(random, bytes) {
  let mutated = Buffer.from(bytes)
  for (let rounds = 1 + random.int(4); rounds > 0; rounds--) {
    const from = random.int(mutated.length + 1)
    const to = Math.min(mutated.length, from + random.int(8))
    const piece = Buffer.from(Array.from({ length: random.int(6) }, () => random.pick(ODD_BYTES)))
    const end = random.chance(0.1) ? [] : [mutated.subarray(to)]
    mutated = Buffer.concat([mutated.subarray(0, from), piece, ...end])
  }
  return mutated
}

/** Parts of UTF-8 that are wrong alone, and ends of lines. */
const ODD_BYTES = [
  0, 0x0a, 0x0d, 0x22, 0x5c, 0x7f, 0x80, 0xc0, 0xed, 0xa0, 0xef, 0xbb, 0xbf, 0xf0, 0xf5, 0xff,
]
