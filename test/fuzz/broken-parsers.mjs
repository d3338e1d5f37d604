// Parsers with a fault each, for the driver to find.

import { cpuMs } from '../../lab/fuzz/cpu-time.mjs'

/** @type {unknown[]} */
const kept = []

const text = /** @type {const} */ ({ kind: 'text', samples: ['a'], refuses: [] })

/** @type {import('../../lab/fuzz/parser.mjs').Parser[]} */
export const PARSERS = [
  { ...text, name: 'sound', read: (given) => given },
  {
    ...text,
    name: 'throws',
    read() {
      throw new TypeError('of its own')
    },
  },
  {
    ...text,
    name: 'refuses',
    read() {
      throw Object.assign(new Error('with another code'), { name: 'AskError', code: 'GONE' })
    },
  },
  {
    ...text,
    name: 'rejects',
    read: async () => {
      throw 'a text'
    },
  },
  {
    ...text,
    name: 'loops',
    read() {
      for (;;);
    },
  },
  { ...text, name: 'never resolves', read: () => new Promise(() => {}) },
  {
    ...text,
    name: 'is slow',
    read() {
      for (const end = cpuMs() + 300; cpuMs() < end; );
    },
  },
  { ...text, name: 'keeps', read: (given) => kept.push(new Array(150_000).fill(`${given}`)) },
  {
    ...text,
    name: 'pollutes',
    read() {
      Object.defineProperty(Object.prototype, 'polluted', { value: true, configurable: true })
    },
  },
]
