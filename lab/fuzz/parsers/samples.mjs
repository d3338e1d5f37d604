// What the samples of several parsers are made of.

import { parseQuestions } from '../../../packages/core/dist/internal.js'

/** Questions of all kinds. */
export const QUESTIONS = [
  {
    id: 'q1',
    question: 'Which language?',
    header: 'Language',
    options: [
      {
        label: 'TypeScript',
        value: 'ts',
        description: 'Types',
        preview: 'const a: number = 1',
        recommended: true,
      },
      { label: 'Yes, always' },
    ],
    textFormat: 'markdown',
    defaultOption: 'ts',
  },
  {
    id: 'q2',
    question: 'Which **files**?',
    options: [{ label: 'a,b' }, { label: 'Say "hi", now' }, { label: 'c' }],
    multiSelect: true,
    allowFreeText: true,
    required: false,
  },
  { id: 'q3', question: 'How many?', typed: { kind: 'number', min: 1, max: 10 }, placeholder: 'a number' },
  { id: 'q4', question: 'Why?', textFormat: 'plain' },
]

export const ASKED = parseQuestions(QUESTIONS)

/** Questions that dialects are asked to answer: all kinds, a single choice, and one text. */
export const ASKED_LISTS = [
  ASKED,
  parseQuestions([
    {
      question: 'Go on?',
      options: [{ label: 'Yes' }, { label: 'No' }],
      allowFreeText: false,
      defaultOption: 'No',
    },
  ]),
  parseQuestions([
    { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }], multiSelect: true },
  ]),
  parseQuestions([{ question: 'Why?' }]),
]

export const RESPONSES = {
  q1: { selected: ['ts'], notes: 'because', source: 'human' },
  q2: { selected: ['a,b', 'c'], freeText: 'and more', source: 'human' },
  q3: { selected: [], freeText: '7', source: 'human' },
  q4: { skipped: true, notes: 'no idea' },
  q5: { selected: ['allow-once'], input: { command: 'ls', list: [1, null] }, source: 'human' },
}

/** Outcomes that dialects write for their agents. */
export const OUTCOMES = /** @type {const} */ ([
  'answered',
  'partial',
  'declined',
  'timed-out',
  'aborted',
]).map((kind) => ({
  kind,
  toolCallId: 'toolu_1',
  questions: ASKED,
  responses: kind === 'declined' ? {} : RESPONSES,
  unanswered: ['q4'],
  settledAt: '2025-01-30T12:00:09.000Z',
  elapsedMs: 9000,
  answeredBy: 'ada',
  reason: 'not now',
  ...(kind === 'declined' && { asksBack: /** @type {const} */ (true) }),
}))

let stored = ''
const sessionStorage = { getItem: () => stored, removeItem() {} }
Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage })

/** Whatever the key: this is what the storage of the tab holds. @param {string} text */
export const storeInTab = (text) => {
  stored = text
}
