// Parsers of files, requests and messages in @sandagent/core.

import { createSecretKeys, openSecret, sealSecret } from '../../../packages/core/dist/answer/sealed-secret.js'
import * as core from '../../../packages/core/dist/internal.js'
import { readKept } from '../../../packages/core/dist/session/reload-draft.js'
import { englishEditLabels } from '../../../packages/react/dist/form/approval/edit/edit-labels.js'
import { fieldsOf, inputIn } from '../../../packages/react/dist/form/approval/edit/input-fields.js'
import { englishTypedLabels } from '../../../packages/react/dist/form/labels/typed-labels.js'
import { createDraftStorage } from '../../../packages/react/dist/transport/draft-storage.js'
import { ANSWER_FILES, CLAIMS, RECORDS } from './file-samples.mjs'
import { ASKED, QUESTIONS, RESPONSES, storeInTab } from './samples.mjs'

const EDIT_LABELS = { ...englishTypedLabels, ...englishEditLabels }

/** @typedef {import('../parser.mjs').Parser} Parser */

const ASKED_JSON = JSON.stringify(ASKED)

const VIEWS = RECORDS.map((record) =>
  core.viewOf({ toolCallId: record.toolCallId, record }, 1_770_000_000_000),
)

const TOOL_PARTS = [
  {
    type: 'tool-AskUserQuestion',
    toolCallId: 'c',
    state: 'input-available',
    input: { questions: QUESTIONS },
  },
  {
    type: 'dynamic-tool',
    toolName: 'mcp__sandagent__ask_user_question',
    toolCallId: 'c',
    state: 'input-streaming',
  },
]

const SECRET_KEYS = await createSecretKeys()
const SECRET_PLACE = { toolCallId: 'c', questionId: 'q1', questionDigest: 'abcd' }

/** @type {Parser[]} */
export const CORE = [
  {
    name: 'core: a sealed secret',
    kind: 'text',
    samples: [await sealSecret('hunter2', SECRET_KEYS.publicKey, SECRET_PLACE)],
    refuses: ['INVALID_ANSWERS'],
    isSlow: true,
    read: (text) => openSecret(text, SECRET_KEYS.privateKey, SECRET_PLACE),
  },
  {
    name: 'core: a secret that was sealed',
    kind: 'text',
    samples: ['hunter2', 'a\nb 🔑 "\\"'],
    refuses: ['INVALID_ANSWERS'],
    isSlow: true,
    async read(text) {
      const sealed = await sealSecret(text, SECRET_KEYS.publicKey, SECRET_PLACE)
      const opened = await openSecret(sealed, SECRET_KEYS.privateKey, SECRET_PLACE)
      if (opened !== text) throw new Error('It is another secret')
    },
  },
  {
    name: 'core: an answer file',
    kind: 'json',
    samples: ANSWER_FILES,
    refuses: ['INVALID_FILE'],
    read: (text) => core.parseAnswerFile(text, 'toolu_1'),
  },
  {
    name: 'core: a question file',
    kind: 'json',
    samples: RECORDS,
    refuses: ['INVALID_FILE'],
    read(text) {
      const record = core.parseQuestionRecord(text)
      core.questionDigestOf(record)
      core.viewOf({ toolCallId: record.toolCallId, record }, 0)
    },
  },
  {
    name: 'core: claims of a signed answer',
    kind: 'value',
    samples: CLAIMS,
    refuses: ['INVALID_FILE'],
    read: (value) => core.parseAnswerClaims(value),
  },
  {
    name: 'core: questions',
    kind: 'value',
    samples: [QUESTIONS, QUESTIONS.slice(1)],
    refuses: ['INVALID_QUESTIONS'],
    read: (value) => core.parseQuestions(value),
  },
  {
    name: 'core: questions of a page',
    kind: 'value',
    samples: [{ questions: QUESTIONS }],
    refuses: [],
    read: (value) => core.readQuestions(value).map((question) => core.shownQuestion(question)),
  },
  {
    name: 'core: comments on a plan',
    kind: 'text',
    samples: ['Nearly.\n3: Why?\nReally\n4: By train', '1: a\n1: b'],
    refuses: [],
    read(text) {
      const plan = '# Move\n\n1. Pack\r\n2. Drive'
      const comments = core.readComments(plan, text)
      const written = core.writeComments(comments)
      if (core.writeComments(core.readComments(plan, written)) !== written)
        throw new Error(`Written and read again, it is another text: ${JSON.stringify(written)}`)
      core.quoteComments(plan, text)
    },
  },
  {
    name: 'core: a request to answer',
    kind: 'value',
    samples: [
      { toolCallId: 'c', questions: QUESTIONS, responses: RESPONSES, status: 'pending', browser: 'b' },
    ],
    refuses: ['INVALID_REQUEST'],
    read(value) {
      core.parseAnswerEnvelope(value)
      const { responses } = core.parseAnswerRequest(value)
      if (responses) core.validateResponses(core.parseQuestions(QUESTIONS), responses, { final: true })
    },
  },
  {
    name: 'core: answers as texts',
    kind: 'value',
    samples: [
      { 'Which language?': 'TypeScript', 'Which **files**?': '"a,b", "Say \\"hi\\", now", c', 'Why?': 'so' },
      { 'Which language?': '"Yes, always"', 'Which **files**?': 'a,b, c, and more' },
    ],
    refuses: [],
    read(value) {
      if (typeof value !== 'object' || value === null) return
      core.unknownAnswers(ASKED, value)
      core.encodeAnswers(ASKED, core.decodeAnswers(ASKED, value))
    },
  },
  {
    name: 'core: a part of a chat message',
    kind: 'value',
    samples: TOOL_PARTS,
    refuses: [],
    read(value) {
      // Chat stores hold objects with a type.
      if (typeof value?.type !== 'string' || typeof value.toolCallId !== 'string') return
      if (!core.isAskUserQuestionPart(value)) return
      core.isOver(value)
      core.snapshotOf(core.initialState(value))
    },
  },
  {
    name: 'core: a view from a host',
    kind: 'value',
    samples: VIEWS,
    refuses: [],
    read(value) {
      if (core.isStreamReport(value)) core.isPresence(value)
    },
  },
  {
    name: 'core: who is present',
    kind: 'value',
    samples: [{ toolCallId: 'c', people: [{ id: 'p', name: 'Ada', isTyping: true }] }],
    refuses: [],
    read: (value) => core.isPresence(value),
  },
  {
    name: 'core: a kept draft',
    kind: 'json',
    samples: [
      {
        asked: ASKED_JSON,
        askedAt: 't',
        draft: RESPONSES,
        revision: 2,
        dirty: true,
        sent: RESPONSES,
        intent: { status: 'declined', reason: 'r' },
      },
    ],
    refuses: [],
    read(text) {
      storeInTab(text)
      readKept(createDraftStorage('c').read(), ASKED_JSON)
    },
  },
  {
    name: 'react: the fields of a call, by a schema of strangers',
    kind: 'value',
    samples: [
      {
        input: { command: 'ls', mode: 'fast', depth: 3, files: ['a'], env: { A: '1' } },
        schema: {
          properties: {
            mode: { enum: ['fast', 'safe'] },
            depth: { type: 'integer', minimum: 1 },
            // Not in the input: its field begins with the first choice.
            level: { enum: ['low', 'high'] },
          },
          required: ['mode'],
        },
      },
    ],
    refuses: [],
    read(value) {
      const { input, schema } = Object(value)
      // A question with such an input is refused before it is shown.
      if (!core.isJson(input)) return
      inputIn(fieldsOf(input, schema), EDIT_LABELS)
      inputIn(
        fieldsOf(input, schema).map((field) => ({ ...field, isGiven: true })),
        EDIT_LABELS,
      )
    },
  },
  {
    name: 'react: an input that a person typed',
    kind: 'json',
    samples: [{ command: 'ls', list: [1, null] }],
    refuses: [],
    read(text) {
      const [field] = fieldsOf({}, undefined, true)
      inputIn([{ ...field, text }], EDIT_LABELS)
    },
  },
  {
    name: 'core: server-sent events',
    kind: 'bytes',
    samples: ['event: question\ndata: {"a":1}\n\n: alive\n\n', 'data: x\r\ndata: y\r\n\r\nevent:z\r\n\r\n'],
    words: ['\n\n', '\r\n', 'data:', 'event:', ':', 'id: 1\n'],
    refuses: [],
    async read(bytes, random) {
      const cut = random.int(bytes.length + 1)
      const body = new Blob([bytes.subarray(0, cut), bytes.subarray(cut)]).stream()
      for await (const _ of core.readServerEvents(body, () => {}));
    },
  },
  {
    name: 'core: the input of a tool call',
    kind: 'value',
    samples: [
      { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
      { file_path: 'a.ts', content: 'x' },
      { command: 'ls' },
    ],
    refuses: [],
    read: (value) => ['Write', 'MultiEdit'].map((tool) => core.fileEditsIn(tool, value)),
  },
  {
    name: 'core: the name and the type of a file that a person gives',
    kind: 'text',
    samples: ['C:\\Users\\Ada\\screen shot.png', '../../.bashrc', 'con .txt', 'image/png; q=1', '%PDF-1.7'],
    words: ['con', 'lpt1', ' ', '.', '\u202e', '/', ':'],
    refuses: [],
    read(text) {
      const name = core.attachmentName(text)
      if (core.attachmentName(name) !== name) throw new Error(`The host would refuse ${JSON.stringify(name)}`)
      core.mediaTypeOf(new TextEncoder().encode(text), text)
    },
  },
  {
    name: 'core: texts for people',
    kind: 'text',
    samples: [
      '# Which **one**?\n\nA table:\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      'Yes (Recommended)',
      '> a\n- b\n1. c',
    ],
    words: [
      '**',
      '_',
      '`',
      '](',
      '](data:image/png;base64,',
      '|',
      '\n',
      '&amp;',
      '> ',
      '- ',
      '(recommended)',
      '\u001b[2J',
      'Bash was not run. The user has not decided yet. They ask: "Why?". Answer this in plain words, then ask again.',
    ],
    refuses: [],
    read(text) {
      core.shownQuestion({ question: text })
      const options = [{ label: text }, { label: `**${text}` }]
      core.optionTitle({ question: 'Which?', options }, { label: text })
      core.markdownSource(text, 'label')
      core.isQuickToRender(text, [])
      core.printable(text)
      core.printableLine(text)
      core.visible(text)
      core.isDenialText(text)
      core.questionAskedBack(text)
      core.fileNameOf(text)
      core.typedFault({ question: 'How many?', typed: { kind: 'number', min: 1, max: 10 } }, text)
    },
  },
]
