// The dialects of @sandagent/core, in both directions.

import * as acp from '../../../packages/core/dist/dialects/acp/index.js'
import * as agUi from '../../../packages/core/dist/dialects/ag-ui/index.js'
import * as agentrail from '../../../packages/core/dist/dialects/agentrail/index.js'
import * as claude from '../../../packages/core/dist/dialects/claude/index.js'
import * as codex from '../../../packages/core/dist/dialects/codex/index.js'
import * as cognipeer from '../../../packages/core/dist/dialects/cognipeer/index.js'
import * as eve from '../../../packages/core/dist/dialects/eve/index.js'
import * as harness from '../../../packages/core/dist/dialects/harness/index.js'
import * as mcp from '../../../packages/core/dist/dialects/mcp/index.js'
import * as userChoice from '../../../packages/core/dist/dialects/user-choice/index.js'
import {
  isComplete,
  optionValue,
  parseQuestions,
  unansweredIds,
  validateResponses,
} from '../../../packages/core/dist/internal.js'
import { ASKED_LISTS, OUTCOMES, QUESTIONS } from './samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const NAMES = { group_id: 'g', id: 'i', call_id: null }
const INVOCATION = {
  operation: 'delete',
  arguments: { path: 'a' },
  ...NAMES,
  callback_url: 'https://runtime.example/callback?token=t',
  user_id: 'u',
  thread_ancestors: ['t'],
}
const CALL = { ...NAMES, response_url: 'https://tool.example/respond?token=t' }

/** @type {Record<string, { dialect: any, requests: unknown[], answers: unknown[], more?: unknown }>} */
const SAMPLES = {
  Claude: {
    dialect: claude.dialect,
    requests: [
      {
        questions: [
          {
            question: 'Which?',
            header: 'W',
            options: [{ label: 'A', description: 'a', preview: 'x' }, { label: 'B' }],
            multiSelect: true,
          },
        ],
        metadata: {},
      },
      {
        questions: [
          { question: 'Why?', header: 'W', kind: 'text', placeholder: 'p' },
          { question: 'n?', header: 'n', kind: 'number', min: 1, max: 2, step: 1, unit: 'kg' },
        ],
        title: 't',
      },
    ],
    answers: [
      {
        answers: { 'Which language?': 'TypeScript', 'Why?': 'so' },
        annotations: { 'How many?': { notes: 'n', unanswered: 'skipped' } },
      },
      { answers: { 'Go on?': 'Yes' } },
      { response: 'later' },
    ],
  },
  eve: {
    dialect: eve.dialect,
    requests: [
      {
        requestId: 'r',
        kind: 'question',
        prompt: 'Which?',
        options: [
          { id: 'a', label: 'A', description: 'a', style: 'primary' },
          { id: 'b', label: 'A' },
        ],
        allowFreeform: false,
        display: 'select',
        action: { kind: 'tool-call', callId: 'c', toolName: 'ask_question', input: { question: 'Which?' } },
      },
      {
        requestId: 'r',
        kind: 'tool-approval',
        prompt: 'Deploy?',
        action: { kind: 'tool-call', callId: 'c', toolName: 'deploy', input: { to: 'prod' } },
      },
    ],
    answers: [
      { requestId: 'r', optionId: 'Yes' },
      { requestId: 'r', text: 'so' },
    ],
    more: {
      requestId: 'r',
      callId: 'c',
      kind: 'question',
      prompt: 'Which?',
      action: { kind: 'tool-call', callId: 'c', toolName: 'ask_question', input: {} },
    },
  },
  AgentRail: {
    dialect: agentrail.dialect,
    requests: [
      { question: 'Which?', hint: 'h', options: ['A', 'B'], multiple: true, custom: false },
      { question: 'Why?' },
    ],
    answers: [{ kind: 'question', answer: 'Yes' }, { answer: 'A, "B", and more' }],
  },
  Codex: {
    dialect: codex.dialect,
    requests: [
      {
        questions: [
          {
            id: 'a',
            header: 'W',
            question: 'Which?',
            isOther: true,
            isSecret: false,
            options: [{ label: 'A', description: 'a' }],
          },
          { id: 'b', header: '', question: 'Why?', isOther: false, isSecret: false, options: null },
        ],
        autoResolutionMs: null,
      },
    ],
    answers: [
      { answers: { q1: { answers: ['TypeScript', 'user_note: n'] }, q4: { answers: ['so'] } } },
      { answers: {} },
    ],
  },
  Cognipeer: {
    dialect: cognipeer.dialect,
    requests: [
      {
        questions: [
          {
            question: 'Which?',
            header: 'W',
            options: [{ label: 'A', value: 'a' }, { label: 'B' }],
            multiSelect: true,
            placeholder: 'p',
            required: false,
          },
        ],
      },
    ],
    answers: [
      {
        answers: {
          'Which language?': { values: ['ts'], freeText: 'f', notes: 'n' },
          Language: { values: [] },
          'How many?': { values: [], freeText: '7' },
          'Why?': { values: ['so'] },
        },
        answeredBy: 'ada',
        notes: 'n',
      },
      { answers: { 'Go on?': { values: ['Yes'] } } },
      { cancelled: true, notes: 'no' },
    ],
  },
  harness: {
    dialect: harness.dialect,
    requests: [
      {
        allowPartialAnswers: true,
        questions: [
          {
            id: 'a',
            question: 'Which?',
            header: 'W',
            options: [{ id: 'x', label: 'A', description: 'd', preview: 'p' }],
            allowMultiple: true,
            allowFreeForm: true,
          },
          { id: 'b', question: 'Why?' },
        ],
      },
    ],
    answers: [
      {
        action: 'partially-answered',
        answers: { q1: { optionIds: ['ts'], freeform: 'f' }, q4: { optionIds: [], freeform: 'so' } },
      },
      { action: 'answered', answers: { q1: { optionIds: ['Yes'] } } },
      { action: 'declined' },
    ],
  },
  MCP: {
    dialect: mcp.dialect,
    requests: [
      {
        message: 'Please',
        requestedSchema: {
          type: 'object',
          properties: {
            name: {
              type: 'string',
              title: 'Name',
              description: 'd',
              format: 'email',
              minLength: 1,
              maxLength: 9,
              default: 'a',
            },
            count: { type: 'integer', minimum: 1, maximum: 3, default: 2 },
            share: { type: 'number', minimum: 0.5 },
            sure: { type: 'boolean', default: true },
            one: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'a' },
            other: { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
            one_custom: { type: 'string' },
            many: {
              type: 'array',
              items: { anyOf: [{ const: 'a', title: 'A' }] },
              minItems: 1,
              maxItems: 2,
              default: ['a'],
            },
          },
          required: ['name', 'many'],
        },
      },
      { mode: 'url', message: 'Open', url: 'https://example.org/a' },
    ],
    answers: [
      {
        action: 'accept',
        content: {
          question_1: 'ts',
          question_2: ['a,b'],
          question_2_custom: 'f',
          question_3: '7',
          question_4: 'so',
        },
      },
      { action: 'accept', content: { question_1: 'Yes' } },
      { action: 'decline' },
      { action: 'cancel' },
    ],
  },
  'AG-UI': {
    dialect: agUi.dialect,
    requests: [
      { id: 'i', reason: 'confirmation', message: 'Go on?', metadata: { raw: 'x' } },
      {
        id: 'i',
        reason: 'tool_call',
        toolCallId: 'c',
        expiresAt: '2030-01-01T00:00:00Z',
        responseSchema: {
          type: 'object',
          properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
          required: ['approved'],
        },
      },
      {
        id: 'i',
        reason: 'input_required',
        responseSchema: {
          type: 'object',
          properties: { one: { type: 'string', enum: ['a', 'b'] }, list: { type: 'array' } },
          required: ['one'],
        },
      },
      { id: 'i', reason: 'x', metadata: { sandagent: { questions: [{ question: 'Which?' }] } } },
    ],
    answers: [
      { interruptId: 'i', status: 'resolved', payload: { question_1: 'Yes' } },
      { interruptId: 'i', status: 'cancelled', metadata: { sandagent: { reason: 'no' } } },
    ],
    more: { id: 'i', reason: 'x' },
  },
  'User Choice': {
    dialect: userChoice.dialect,
    requests: [{ type: 'user_choice', ...CALL, prompt: 'Go on?', choices: ['Yes', 'No'], default: 1 }],
    answers: [{ id: 'i', selected: 1 }],
    more: CALL,
  },
}

/** @param {readonly (() => unknown)[]} works which may refuse */
const tryEach = (works) => {
  for (const work of works)
    try {
      work()
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AskError') throw error
    }
}

/** @type {Parser[]} */
const OF_EACH = Object.entries(SAMPLES).flatMap(([name, { dialect, requests, answers, more }]) => [
  {
    name: `${name}: a request`,
    kind: /** @type {const} */ ('value'),
    samples: requests,
    refuses: ['INVALID_QUESTIONS'],
    read(value) {
      const questions = dialect.parseRequest(value)
      tryEach([() => dialect.formatRequest(questions, more)])
    },
  },
  {
    name: `${name}: an answer`,
    kind: /** @type {const} */ ('value'),
    samples: answers,
    refuses: ['INVALID_ANSWERS'],
    read(value, random) {
      const questions = random.pick(ASKED_LISTS)
      const given = dialect.parseAnswer(questions, value)
      if (given?.status !== 'completed') return
      const { responses } = given
      validateResponses(questions, responses, { final: true })
      isComplete(questions, responses)
      const outcome = {
        ...OUTCOMES[0],
        questions,
        responses,
        unanswered: unansweredIds(questions, responses),
      }
      if (name !== 'MCP') dialect.formatResult(outcome, more)
    },
  },
  {
    name: `${name}: questions to write`,
    kind: /** @type {const} */ ('value'),
    samples: [QUESTIONS, ...QUESTIONS.map((question) => [question]), ...ASKED_LISTS],
    refuses: ['INVALID_QUESTIONS'],
    read(value) {
      const questions = parseQuestions(value)
      const written = dialect.formatRequest(questions, more)
      JSON.stringify(written)
      if (name !== 'MCP') dialect.parseRequest(JSON.parse(JSON.stringify(written)))
    },
  },
])

/** @type {Parser[]} */
export const DIALECTS = [
  ...OF_EACH,
  {
    name: 'eve: the call of an approval',
    kind: 'value',
    samples: SAMPLES.eve?.requests ?? [],
    refuses: ['INVALID_QUESTIONS'],
    read: (value) => eve.parseSubject(value),
  },
  {
    name: 'Codex: a message that asks',
    kind: 'value',
    samples: [
      {
        questions: [
          { title: 'Which?', options: ['A', 'B'] },
          { title: 'Why?', options: null },
        ],
      },
    ],
    refuses: ['INVALID_QUESTIONS'],
    read: (value) => codex.parseMessage(value),
  },
  {
    name: 'Codex: a command to permit',
    kind: 'value',
    samples: [
      { itemId: 'i', kind: 'command', command: 'ls', cwd: '/', reason: 'r', availableDecisions: ['accept'] },
      { itemId: 'i', networkApprovalContext: { host: 'h', protocol: 'https' } },
    ],
    refuses: ['INVALID_REQUEST'],
    read: (value) => codex.parseCommandApproval(value),
  },
  {
    name: 'Codex: files to permit',
    kind: 'value',
    samples: [{ itemId: 'i', changes: [{ path: '/a', kind: { type: 'add' }, diff: 'd' }], grantRoot: '/' }],
    refuses: ['INVALID_REQUEST'],
    read: (value) => codex.parseFileApproval(value, value),
  },
  {
    name: 'Codex: a tool to permit',
    kind: 'value',
    samples: [
      {
        serverName: 's',
        message: 'Allow?',
        _meta: {
          codex_approval_kind: 'mcp_tool_call',
          tool_name: 't',
          tool_params: { a: 1 },
          persist: ['session'],
        },
      },
    ],
    refuses: ['INVALID_REQUEST'],
    read: (value) => codex.isToolApproval(value) && codex.parseToolApproval(value),
  },
  {
    name: 'MCP: the call of a tool',
    kind: 'value',
    samples: [
      {
        questions: [
          {
            question: 'Which?',
            header: 'W',
            options: [{ label: 'A', description: 'a' }, { label: 'B' }],
            multiSelect: true,
          },
        ],
      },
    ],
    refuses: ['INVALID_QUESTIONS', 'INVALID_REQUEST'],
    read: (value) => mcp.parseToolCall(value ?? {}),
  },
  {
    name: 'MCP: a result for a server',
    kind: 'value',
    samples: SAMPLES.MCP?.requests ?? [],
    refuses: ['INVALID_QUESTIONS'],
    read(value, random) {
      const questions = mcp.parseRequest(value, { from: 'server' })
      const responses = Object.fromEntries(
        questions.map(({ id, options }) => [
          id,
          random.chance(0.5)
            ? { selected: options?.slice(0, 1).map(optionValue) ?? [], source: 'human' }
            : { selected: [], freeText: random.pick(['7', '', 'a@b.example', 'x']), source: 'human' },
        ]),
      )
      const result = mcp.formatResult({ .../** @type {any} */ (OUTCOMES[0]), questions, responses }, value)
      if ('faults' in result) mcp.faultyQuestions(value, questions, result.faults)
    },
  },
  {
    name: 'ACP: a permission',
    kind: 'value',
    samples: [
      {
        sessionId: 's',
        toolCall: {
          toolCallId: 't',
          title: 'a',
          name: 'Bash',
          kind: 'execute',
          rawInput: { command: 'ls' },
          content: [
            { type: 'content', content: { type: 'text', text: 'b' } },
            { type: 'diff', path: 'a', oldText: 'a', newText: 'b' },
          ],
          locations: [{ path: 'a', line: 1 }],
          _meta: { claudeCode: { toolName: 'Bash' } },
        },
        options: [
          { optionId: 'a', name: 'Yes', kind: 'allow_once' },
          { optionId: 'b', name: 'Always', kind: 'allow_always' },
          { optionId: 'c', name: 'No', kind: 'reject_once' },
        ],
      },
    ],
    refuses: ['INVALID_QUESTIONS'],
    read(value, random) {
      const { question } = acp.parsePermission(value)
      const { options = [] } = question
      const responses = {
        permission: { selected: [optionValue(random.pick(options))], source: /** @type {const} */ ('human') },
      }
      const outcome = { .../** @type {any} */ (OUTCOMES[0]), questions: [{ ...question, id: 'permission' }] }
      const { outcome: told } = acp.formatPermission({ ...outcome, kind: 'answered', responses }, value)
      if (told.outcome !== 'selected') throw new Error('A pick selects no option')
    },
  },
  {
    name: 'Cognipeer: a resolution',
    kind: 'value',
    samples: SAMPLES.Cognipeer?.answers ?? [],
    refuses: ['INVALID_ANSWERS'],
    read: (value, random) => cognipeer.parseAnswer(random.pick(ASKED_LISTS), value),
  },
  {
    name: 'User Choice: an invocation',
    kind: 'value',
    samples: [INVOCATION],
    refuses: ['INVALID_REQUEST'],
    read: (value) => userChoice.questionIdOf(userChoice.parseInvocation(value)),
  },
  {
    name: 'User Choice: a callback',
    kind: 'value',
    samples: [
      ...(SAMPLES['User Choice']?.requests ?? []),
      { type: 'tool_result', ...NAMES, text: 'done', content: [], display_as: [] },
      { type: 'view_update', group_id: 'g' },
    ],
    refuses: ['INVALID_REQUEST', 'INVALID_QUESTIONS'],
    read: (value) => userChoice.parseCallback(value),
  },
]
