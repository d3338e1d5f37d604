// Parsers of the command: its command lines, files that it is given, keys, and texts that it draws.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { workerData } from 'node:worker_threads'
import { createSecretKeys } from '../../../packages/core/dist/answer/sealed-secret.js'
import { QUESTION_LIMITS } from '../../../packages/core/dist/internal.js'
import { root } from '../../../scripts/run.mjs'
import { COMMAND as MODULES } from '../command-modules.mjs'
import { MARKDOWN } from './react.mjs'
import { ASKED, QUESTIONS, RESPONSES } from './samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

/** @param {string} path below the sources of the command @returns {Promise<any>} */
const load = (path) => import(join(root, 'packages/cli', MODULES, path))

const { readInput, readJsonAnswer, requestOf } = await load('commands/questions/given-answer.js')
const { secretAnswerTo } = await load('commands/questions/read-secret.js')
const { readCommandLine } = await load('arguments/command-line.js')
const { answererOf } = await load('commands/answerer-of.js')
const { agentOf } = await load('commands/run/agent-of.js')
const { createKeyboard } = await load('terminal/keyboard/keyboard.js')
const { drawField, edit } = await load('terminal/form/text-field.js')
const { beginEdit, changedCall } = await load('terminal/form/edit/call-edit.js')
const { changeLines } = await load('terminal/form/edit/change-lines.js')
const { markdownLines } = await load('terminal/form/draw/markdown.js')
const { createPaint } = await load('terminal/form/draw/paint.js')
const { answerText, noteText } = await load('terminal/answer-text.js')

/** The readers of command lines, with a valid line each. @type {[reader: (args: string[]) => unknown, line: string][]} */
const LINES = await Promise.all(
  /** @type {const} */ ([
    ['run/run-args.js', 'parseRunArgs', '--agent scripted --scenario a.json --timeout 5 --yes -- prompt'],
    ['serve/serve-args.js', 'parseServeArgs', '--workdir w --port 8080 --host 127.0.0.1'],
    ['questions/questions-args.js', 'QUESTIONS', '--workdir w --json'],
    ['questions/answer-args.js', 'readAnswerArgs', 'toolu_1 --choose A --text t'],
    ['runs/runs-args.js', 'LIST', '--workdir w --json'],
    ['runs/runs-args.js', 'LOGS', 'run-1 --follow'],
    ['runs/runs-args.js', 'STOP', 'run-1 --reason r'],
    ['runs/runs-args.js', 'PRUNE', '--older-than 7d'],
    ['notices/notices-args.js', 'TEST', '--notices n.json'],
    ['notices/notices-args.js', 'RETRY', 'a b'],
    ['mcp/mcp-args.js', 'parseMcpArgs', '--workdir w --via auto --timeout 5'],
    ['relay/relay-args.js', 'parseRelayArgs', '--workdir w'],
    ['doctor/doctor-args.js', 'DOCTOR', '--workdir w --json'],
    ['audit/audit-args.js', 'VERIFY', 'verify a.jsonl'],
    ['setup/init-args.js', 'INIT', 'express'],
    ['setup/key-args.js', 'KEY', ''],
  ]).map(async ([path, name, line]) => {
    // A reader of its own, or the table of a command.
    const read = (await load(`commands/${path}`))[name]
    const parse = (/** @type {string[]} */ args) =>
      typeof read === 'function' ? read(args, { isTerminal: false }) : readCommandLine(read, args)
    return [parse, line]
  }),
)

/** @param {string} name @param {string} text */
function fileWith(name, text) {
  const path = join(workerData.folder, name)
  writeFileSync(path, text)
  return path
}

/** How many bytes a person types at once. */
const MOST_KEYS = 5000

const KEYS = [
  '\u001b',
  '\u001b[A',
  '\u001b[1;5C',
  '\u001b[3~',
  '\u001b[200~',
  '\u001b[201~',
  '\u0008',
  '\u007f',
  '\u0017',
  '\r',
  '\t',
  '\u001bb',
]
const CALL = { toolName: 'Bash', input: { command: 'ls' }, editable: true }
const { publicKey } = await createSecretKeys()
const SECRET = { id: 'a', question: 'Which?', options: [], secret: { publicKey } }
const ANSWER = { toolCallId: 'c', responses: RESPONSES, status: 'completed' }

/** @type {Parser[]} */
export const COMMAND = [
  {
    name: 'command: a command line',
    kind: 'text',
    samples: LINES.map(([, line], index) => `${index} ${line}`),
    words: [
      ' ',
      ' --',
      ' -',
      '=',
      ' --json',
      ' --workdir',
      ' --timeout never',
      ' --help',
      ' -- ',
      ' 1e3',
      ' 5m',
    ],
    refuses: ['INVALID_REQUEST'],
    read(text) {
      const [index = '', ...args] = text.split(' ')
      const [reader] = LINES[Number(index)] ?? /** @type {any} */ (LINES[0])
      return reader(args)
    },
  },
  {
    name: 'command: an answer as JSON',
    kind: 'json',
    samples: [ANSWER, { responses: RESPONSES }],
    refuses: ['INVALID_REQUEST'],
    read: (text, random) =>
      readJsonAnswer(text === '-' ? '' : text, random.pick([undefined, 'c']), { stdin: null }),
  },
  {
    name: 'command: a secret on standard input',
    kind: 'bytes',
    samples: ['hunter2\n', 'a\r\nb\r\n'],
    refuses: ['INVALID_REQUEST', 'INVALID_ANSWERS'],
    read: (bytes) =>
      secretAnswerTo(
        { toolCallId: 'c', toolName: 't', questionDigest: 'ab', questions: [SECRET] },
        { stdin: Readable.from([bytes]) },
      ),
  },
  {
    name: 'command: the edited input of a call',
    kind: 'json',
    samples: [{ command: 'ls', list: [1, null] }],
    refuses: ['INVALID_REQUEST'],
    read: (text) => readInput(text === '-' ? '' : text, { stdin: null }),
  },
  {
    name: 'command: a call that is edited in a terminal',
    kind: 'json',
    samples: [{ command: 'ls -l' }, { command: 'ls', list: [1, null] }],
    refuses: [],
    read(text, random) {
      const base = random.pick([CALL.input, { command: 'a\nb', more: {} }])
      const changed = changedCall(
        { ...beginEdit(CALL, base), ...random.pick([{}, { field: null }]), text },
        CALL,
      )
      if ('input' in changed) changeLines(CALL, changed, random.pick([20, 80]))
    },
  },
  {
    name: 'command: an answer by options',
    kind: 'value',
    samples: [{ kind: 'given', labels: ['TypeScript', 'ts'], text: 't' }],
    refuses: ['INVALID_REQUEST', 'INVALID_ANSWERS'],
    read(value, random) {
      // The command line gives texts alone.
      const labels = [value?.labels].flat().filter((label) => typeof label === 'string')
      const question = { toolCallId: 'c', questions: [random.pick(ASKED)] }
      return requestOf({ kind: 'given', labels, files: [] }, question, () => {})
    },
  },
  {
    name: 'command: a file with a policy',
    isSlow: true,
    kind: 'json',
    samples: [[{ for: { kinds: ['approval'] }, roles: ['lead'] }, { people: ['ada'] }]],
    refuses: ['INVALID_REQUEST'],
    read: (text) => answererOf({ name: 'ada', policy: fileWith('policy.json', text), role: undefined }),
  },
  {
    name: 'command: a file with a scenario',
    isSlow: true,
    kind: 'json',
    samples: [{ title: 't', steps: [{ say: 'a' }, { ask: { questions: QUESTIONS } }] }],
    refuses: ['INVALID_FILE'],
    read: (text) => agentOf({ name: 'scripted', scenario: fileWith('scenario.json', text) }),
  },
  {
    name: 'command: a file with MCP servers',
    isSlow: true,
    kind: 'json',
    samples: [{ mcpServers: { shop: { command: 'node', args: ['shop.mjs'], alwaysLoad: true } } }],
    refuses: ['INVALID_FILE'],
    read: (text) => agentOf({ name: 'claude', options: {}, mcpConfig: fileWith('servers.json', text) }),
  },
  {
    name: 'command: keys',
    kind: 'bytes',
    samples: ['abc\u001b[D\u007f\r', '\u001b[200~pasted\ntext\u001b[201~', '\u001b[1;5D\u0001\u0005\u000b'],
    words: KEYS,
    refuses: [],
    async read(bytes, random) {
      const stdin = new PassThrough()
      let field = { text: random.pick(['', 'a 👩‍👩‍👧‍👦 b\nc']), cursor: 0 }
      // Aborted: it waits for no more keys when it closes.
      const io = { stdin, stdout: { write() {} }, signal: AbortSignal.abort(), interrupt() {} }
      const keyboard = createKeyboard(io)
      keyboard.read({
        onKey(/** @type {any} */ key) {
          field = edit(field, key) ?? field
        },
      })
      const typed = bytes.subarray(0, MOST_KEYS)
      const at = random.int(typed.length + 1)
      for (const piece of [typed.subarray(0, at), typed.subarray(at)]) stdin.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
      await keyboard.close()
      stdin.destroy()
      drawField(field, 20)
    },
  },
  {
    name: 'command: Markdown in a terminal',
    kind: 'text',
    samples: MARKDOWN,
    words: [
      '**',
      '`',
      '](',
      '![',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '    ',
      '&#',
      '<',
      '\\',
      '\u001b[2J',
      '👩‍👩‍👧‍👦',
    ],
    refuses: [],
    read: (text, random) =>
      // Longer texts are refused before.
      markdownLines(text.slice(0, QUESTION_LIMITS.totalChars), random.pick([1, 20, 80]), {
        paint: createPaint(true),
        questions: [],
        isPlain: random.chance(0.1),
      }),
  },
  {
    name: 'command: an answer to show',
    kind: 'json',
    samples: [{ responses: RESPONSES }],
    refuses: ['INVALID_REQUEST'],
    async read(text) {
      const { answer } = await readJsonAnswer(text === '-' ? '' : text, 'c', { stdin: null })
      for (const question of ASKED) {
        answerText(question, answer.responses ?? {})
        noteText(question, answer.responses ?? {})
      }
    },
  },
]
