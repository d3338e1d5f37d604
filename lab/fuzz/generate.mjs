// Makes the input of a number: a sample of its parser as it is, changed, or text without a form.

import { UNWRITTEN } from './hostile.mjs'
import { mutatedBytes, mutatedText, randomText } from './mutate-text.mjs'
import { mutatedJson } from './mutate-value.mjs'

/**
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {import('./parser.mjs').Parser} Parser
 */

/**
 * The share of samples that stay as they are, and of texts without a form. A slow parser gets few inputs: some must be taken.
 */
const UNCHANGED = 0.08
const UNCHANGED_SLOW = 0.25
const FORMLESS = 0.05

/** @type {WeakMap<Parser, readonly string[]>} */
const written = new WeakMap()

/**
 * The samples of a parser as texts: JSON, except for parsers of other texts.
 *
 * @param {Parser} parser
 * @returns {readonly string[]}
 */
function textsOf(parser) {
  const known = written.get(parser)
  if (known) return known
  const isText = parser.kind === 'text' || parser.kind === 'bytes'
  const texts = parser.samples.map((sample) => (isText ? String(sample) : JSON.stringify(sample)))
  written.set(parser, texts)
  return texts
}

/**
 * @param {Random} random
 * @param {Parser} parser
 * @returns {unknown}
 */
export function inputFor(random, parser) {
  const texts = textsOf(parser)
  const text = random.pick(texts)
  if (random.chance(parser.isSlow ? UNCHANGED_SLOW : UNCHANGED)) return asKind(parser.kind, text)
  switch (parser.kind) {
    case 'text':
      return random.chance(FORMLESS) ? randomText(random) : mutatedText(random, text, parser.words)
    case 'bytes': {
      const bytes = Buffer.from(random.chance(0.5) ? mutatedText(random, text, parser.words) : text)
      return random.chance(0.7) ? mutatedBytes(random, bytes) : bytes
    }
    case 'json': {
      if (random.chance(FORMLESS)) return randomText(random)
      const json = mutatedJson(random, text, texts)
      return random.chance(0.15) ? mutatedText(random, json) : json
    }
    default: {
      const value = parsed(mutatedJson(random, text, texts)) ?? JSON.parse(text)
      return random.chance(FORMLESS) ? withUnwritten(random, value) : value
    }
  }
}

/** @param {string} json a second change may have broken it */
function parsed(json) {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** @param {Parser['kind']} kind @param {string} text */
const asKind = (kind, text) =>
  kind === 'bytes' ? Buffer.from(text) : kind === 'value' ? JSON.parse(text) : text

/** @param {Random} random @param {any} value */
function withUnwritten(random, value) {
  const odd = random.pick(UNWRITTEN)
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (keys.length === 0) return odd
  const key = random.pick(keys)
  const inner = random.chance(0.6) ? withUnwritten(random, value[key]) : odd
  Object.defineProperty(value, key, { value: inner, enumerable: true, configurable: true, writable: true })
  return value
}
