// What parsers go wrong about: texts, keys, numbers and times.

/** Texts for any place. */
export const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202e\u2066',
  '\u2028',
  'e\u0301\u0301\u0301',
  '👩‍👩‍👧‍👦',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '*',
  '..',
  '../../etc/passwd',
  '/dev/zero',
  'C:\\con\u0000',
  'https://[::1',
  'http://a:b@127.0.0.1:99999/%zz',
  'javascript:alert(1)',
  'data:text/html,<script>',
  '\u001b]8;;x\u0007\u001b[2J',
  '"',
  '\\',
  '\\"',
  '", "',
  ', ',
  '{"a":',
  '<b>&amp;</b>',
  '```\n',
  '[a](b "c")',
  '%',
  '%ff%fe',
  '+00:99',
]

/** Keys that objects have already, and empty ones. */
export const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  '',
]

/** Texts that `Date.parse` and schemas of times read in ways of their own. */
export const TIMES = [
  '1970-01-01T00:00:00.000Z',
  '2025-02-30T00:00:00.000Z',
  '2016-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '2025-01-30',
  '2025-01-30T12:00',
  '2025-01-30T24:00:00Z',
  '2025-01-30T12:00:00+99:99',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  '1',
  'Invalid Date',
]

/** Numbers as JSON writes them. Some are beyond what a number holds. */
export const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '8640000000000001',
  '1e21',
  '1e308',
  '1e400',
  '-1e400',
  '5e-324',
]

/** Values that come from programs, and not from JSON. */
export const UNWRITTEN = [
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  Object.create(null),
  new Date(Number.NaN),
  new Map(),
  // biome-ignore lint/suspicious/noSparseArray: a hole is what a parser may not expect
  [, 1],
]
