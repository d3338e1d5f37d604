// Samples of the files that host and runner write, and of what a host signs.

import * as core from '../../../packages/core/dist/internal.js'
import { ASKED, QUESTIONS, RESPONSES } from './samples.mjs'

const TIME = '2025-01-30T12:00:00.000Z'

const OPEN = {
  version: 1,
  toolCallId: 'toolu_1',
  toolName: 'AskUserQuestion',
  kind: 'question',
  questions: ASKED,
  asker: { agent: 'code-reviewer', parentToolCallId: 'toolu_0' },
  askedAt: TIME,
  timeoutMs: 60_000,
  deadline: '2025-01-30T12:01:00.000Z',
  nonce: 'nonce-1',
  runId: 'run-1',
  takesQuestions: true,
  follows: { toolCallId: 'toolu_0', question: 'What does this touch?', reply: 'A file.' },
  process: '17 4711 host/boot/namespace',
  passedOver: ['*', 'digest'],
  state: 'open',
}

const SETTLED = {
  settledAt: '2025-01-30T12:00:09.000Z',
  responses: RESPONSES,
  answeredBy: 'ada',
  voters: ['ada', 'bob'],
  reason: 'not now',
  asksBack: true,
  revision: 2,
}

const STATES = [
  OPEN,
  { ...OPEN, timeoutMs: 'never', deadline: null },
  { ...OPEN, state: 'closing', closingFor: 'answered' },
  {
    ...OPEN,
    kind: 'approval',
    questions: [core.approvalQuestion('Bash', { sessionScope: 'ls' })],
    subject: { toolName: 'Bash', input: { command: 'ls', env: { A: '1' }, list: [1, null] } },
  },
  {
    ...OPEN,
    kind: 'approval',
    questions: [core.approvalQuestion('Bash')],
    subject: {
      toolName: 'Bash',
      input: { command: 'ls' },
      editable: true,
      schema: { type: 'object', properties: { command: { type: 'string' } } },
    },
  },
  .../** @type {const} */ (['answered', 'partial', 'declined', 'timed-out', 'aborted']).map((state) => ({
    ...OPEN,
    ...SETTLED,
    state,
  })),
]

/** Question files in all their states. */
export const RECORDS = STATES.map((record) => core.parseQuestionRecord(JSON.stringify(record)))

const VOTE = { answeredBy: 'ada', timestamp: TIME, roles: ['lead'], responses: RESPONSES, revision: 1 }

const PEOPLE = {
  otherDrafts: [{ answeredBy: 'bob', browser: 'b', responses: RESPONSES, revision: 1, timestamp: TIME }],
  rule: {
    for: { kinds: ['question'], tools: ['Bash*'] },
    roles: ['lead'],
    owner: true,
    people: ['ada'],
    votes: 2,
  },
  votes: [VOTE],
}

const ANSWER_FILE = {
  version: 1,
  toolCallId: 'toolu_1',
  questions: QUESTIONS,
  answers: { 'Which language?': 'TypeScript', 'Which **files**?': '"a,b", c', 'How many?': '7' },
  status: 'completed',
  timestamp: TIME,
  nonce: 'nonce-1',
  questionDigest: 'digest',
  revision: 2,
  responses: RESPONSES,
  answeredBy: 'ada',
  browser: 'b',
  reason: 'not now',
  asksBack: true,
  signature: 'a.b.c',
}

/** Answer files of today, and of older writers. */
export const ANSWER_FILES = [
  ANSWER_FILE,
  { ...ANSWER_FILE, ...PEOPLE, status: 'pending', replaceable: true },
  { questions: QUESTIONS, answers: { 'Why?': 'so' }, status: 'completed', timestamp: TIME },
  { questions: QUESTIONS, toolName: 'Bash', status: 'pending', input: {} },
  {
    questions: QUESTIONS,
    answers: { 'Why?': 'declined' },
    status: 'completed',
    timestamp: TIME,
    declined: true,
  },
]

const { questions: _, answers: __, signature: ___, ...claimed } = ANSWER_FILE

export const CLAIMS = [
  { ...claimed, runId: 'run-1' },
  { ...claimed, ...PEOPLE, runId: 'run-1', replaceable: true },
]
