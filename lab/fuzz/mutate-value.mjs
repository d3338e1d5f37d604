// Changes JSON: keys removed, renamed and added, types changed, parts moved, doubled and nested.

import { KEYS, NUMBERS, TEXTS, TIMES } from './hostile.mjs'
import { mutatedText, randomText } from './mutate-text.mjs'

/**
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {{ value: any }} Root
 * @typedef {{ holder: any, key: string | number }} Place where a part of a value is
 */

/** A number that JSON holds and `JSON.stringify` would not write. Its text stands in for it, as {@link writtenJson} knows. */
const RAW = '\u0001raw:'

/** Stands for the place where a part is nested in itself. */
const HOLE = '\u0001hole'

/** How deep a part of a text may be nested. Readers of JSON take as much, writers do not. */
const DEEPEST = 20_000

/**
 * The text of a changed value.
 *
 * @param {Random} random
 * @param {string} sample JSON
 * @param {readonly string[]} others samples to take parts of
 * @returns {string} JSON
 */
export function mutatedJson(random, sample, others) {
  /** @type {Root} */
  const root = { value: JSON.parse(sample) }
  for (let rounds = random.chance(0.6) ? 1 : 2 + random.int(4); rounds > 0; rounds--)
    change(random, root, others)
  return writtenJson(root.value)
}

/** @param {unknown} value */
function writtenJson(value) {
  // `JSON.stringify` writes the mark's control character as \u0001.
  return JSON.stringify(value).replace(/"\\u0001raw:([^"\\]*(?:\\.[^"\\]*)*)"/g, (_, text) =>
    JSON.parse(`"${text}"`),
  )
}

/**
 * @param {Random} random
 * @param {Root} root
 * @param {readonly string[]} others
 */
function change(random, root, others) {
  const places = placesIn(root)
  const place = random.pick(places)
  const { holder, key } = place
  const part = holder[key]
  const set = (/** @type {unknown} */ value) => put(holder, key, value)
  switch (random.int(13)) {
    case 0:
      return remove(root, place)
    case 1:
      return rename(random, root, place)
    case 2:
      return isHolder(part) && !Array.isArray(part)
        ? put(part, random.pick(KEYS), other(random))
        : set(other(random))
    case 3:
      return isHolder(part)
        ? put(part, keyFrom(random, places), copied(random.pick(places)))
        : set(other(random))
    case 4:
      return set(otherType(random, part))
    case 5:
      return double(random, part, set)
    case 6:
      return set(copied(random.pick(places)))
    case 7: {
      const donor = { value: JSON.parse(random.pick(others)) }
      return set(copied(random.pick(placesIn(donor))))
    }
    case 8:
      return random.chance(0.2) ? nest(random, places, set) : set(other(random))
    case 9:
      return set(`${RAW}${random.pick(NUMBERS)}`)
    case 10:
      return set(random.pick(TIMES))
    default:
      return set(typeof part === 'string' ? mutatedText(random, part) : other(random))
  }
}

/**
 * Each part of a value, itself included.
 *
 * @param {Root} root
 * @returns {Place[]}
 */
function placesIn(root) {
  /** @type {Place[]} */
  const places = [{ holder: root, key: 'value' }]
  for (const { holder, key } of places) {
    const part = holder[key]
    if (!isHolder(part)) continue
    const keys = Array.isArray(part) ? part.keys() : Object.keys(part)
    for (const inner of keys) if (places.length < 2000) places.push({ holder: part, key: inner })
  }
  return places
}

/** @param {unknown} value */
const isHolder = (value) => typeof value === 'object' && value !== null

/** @param {Place} place */
const copied = ({ holder, key }) => {
  const part = holder[key]
  return isHolder(part) ? JSON.parse(JSON.stringify(part)) : part
}

/** @param {any} holder @param {string | number} key @param {unknown} value also for the key `__proto__` */
function put(holder, key, value) {
  if (Array.isArray(holder) && typeof key === 'string') return void holder.push(value)
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** @param {Root} root @param {Place} place */
function remove(root, { holder, key }) {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (holder !== root) delete holder[key]
}

/** @param {Random} random @param {Root} root @param {Place} place */
function rename(random, root, { holder, key }) {
  if (Array.isArray(holder) || holder === root) return
  const part = holder[key]
  delete holder[key]
  put(holder, random.chance(0.7) ? random.pick(KEYS) : mutatedText(random, String(key)), part)
}

/** @param {Random} random @param {readonly Place[]} places */
const keyFrom = (random, places) => String(random.pick(places).key)

/** @param {Random} random @param {any} part @param {(value: unknown) => void} set */
function double(random, part, set) {
  const length = JSON.stringify(part).length
  const often = Math.min(random.chance(0.05) ? random.int(600) : random.int(8), Math.floor(300_000 / length))
  if (typeof part === 'string') return set(part.repeat(often))
  const parts = Array.from({ length: often }, () => part)
  set(Array.isArray(part) ? parts.flat() : parts)
}

/** @param {Random} random @param {unknown} part */
function otherType(random, part) {
  const types = [
    [part],
    { value: part },
    JSON.stringify(part),
    Number(JSON.stringify(part)),
    part === null,
    null,
    { 0: part, length: 1 },
  ]
  return random.pick(types)
}

/** @param {Random} random @returns {unknown} */
function other(random) {
  const values = [
    null,
    true,
    false,
    0,
    '',
    [],
    {},
    [[]],
    [null],
    { a: {} },
    random.pick(TEXTS),
    randomText(random),
  ]
  return random.pick(values)
}

/**
 * Nests a part in itself, or in lists and objects, as text: no value of a program is that deep.
 *
 * @param {Random} random
 * @param {readonly Place[]} places
 * @param {(value: unknown) => void} set
 */
function nest(random, places, set) {
  /** @type {Root} */
  const whole = { value: copied(random.pick(places)) }
  const hole = random.pick(placesIn(whole))
  const inner = JSON.stringify(copied(hole))
  put(hole.holder, hole.key, HOLE)
  const itself = JSON.stringify(whole.value).split(JSON.stringify(HOLE))
  const isNestable = itself.length === 2 && hole.holder !== whole && random.chance(0.7)
  const [before = '', after = ''] = isNestable
    ? itself
    : random.pick([
        ['[', ']'],
        ['{"a":', '}'],
        ['{"__proto__":', '}'],
        ['[1,', ',null]'],
      ])
  const most = Math.min(
    DEEPEST,
    Math.floor((random.chance(0.1) ? 400_000 : 40_000) / (before.length + after.length)),
  )
  const depth = random.chance(0.5) ? random.int(most) : random.int(Math.min(most, 600))
  set(`${RAW}${before.repeat(depth)}${inner}${after.repeat(depth)}`)
}
