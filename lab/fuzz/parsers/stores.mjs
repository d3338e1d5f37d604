// Parsers of what files, stores and databases hold, and of what hosts send to runners.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { answerIn, readableRecordIn } from '../../../packages/core/dist/store/stored-texts.js'
import { createLocalFiles, findProcess, ownFolder } from '../../../packages/files/dist/internal.js'
import {
  parseChanges,
  parseQuestion,
  parseQuestions,
  parseRefusal,
} from '../../../packages/fleet/dist/http/http-protocol.js'
import { whenDelivered } from '../../../packages/fleet-host/dist/delivery.js'
import { openFileGate } from '../../../packages/nats/dist/access/file-gate.js'
import { openGate } from '../../../packages/nats/dist/access/gate.js'
import { readFacts } from '../../../packages/nats/dist/lib/record-facts.js'
import { idOf, readSubject, tokenOf } from '../../../packages/nats/dist/lib/subjects.js'
import { storageKey, storedText, textOf } from '../../../packages/postgres/dist/lib/storage-key.js'
import { ANSWER_FILES, RECORDS } from './file-samples.mjs'
import { CLOCK } from './keys.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const { folder } = workerData
const TIME = '2025-01-30T12:00:00.000Z'
const STORED = { toolCallId: 'c', record: { text: JSON.stringify(RECORDS[0]), version: '1' }, answer: null }

for (const name of ['files', 'owned']) mkdirSync(join(folder, name), { recursive: true })

/** @typedef {(error: Error | null, received: any) => void} Take */
/** @type {Take[]} */
const gates = []
const service = /** @type {any} */ ({
  clock: CLOCK,
  connection: {
    subscribe: (/** @type {string} */ _, /** @type {{ callback: Take }} */ { callback }) =>
      gates.push(callback),
  },
})
const NAMES = { bucket: 'a', stream: 'KV_a', root: '$KV.a' }
const { signal } = new AbortController()
openGate(service, NAMES, () => 'pass', signal)
const files = /** @type {any} */ ({ of: () => ({ readFile: async () => null }) })
openFileGate(service, NAMES, () => 'pass', files, signal)
const [watch, give] = /** @type {[Take, Take]} */ (gates)

/** @type {Parser[]} */
export const STORES = [
  {
    name: 'files: bytes of a file',
    isSlow: true,
    kind: 'bytes',
    samples: ['{"a":"\u00e4\u{1f600}"}'],
    refuses: ['INVALID_FILE'],
    read(bytes) {
      writeFileSync(join(folder, 'files', 'a'), bytes)
      return createLocalFiles(join(folder, 'files')).read('a')
    },
  },
  {
    name: 'files: the handle of a process',
    kind: 'text',
    samples: ['17 4711 host/boot/namespace', `${process.pid} 1 a/b/c`],
    words: [' ', '/', '-1', '0', '1'],
    refuses: [],
    read: (text) => findProcess(text),
  },
  {
    name: 'files: who owns a folder',
    isSlow: true,
    kind: 'json',
    samples: [{ process: '17 4711 host/boot/namespace' }, { hasLeft: true }],
    refuses: ['INVALID_FILE', 'CONFLICT'],
    async read(text) {
      const owned = join(folder, 'owned')
      for (const name of readdirSync(owned)) rmSync(join(owned, name))
      writeFileSync(join(owned, 'owner-1.json'), text)
      const leave = await ownFolder(owned, { taken: 'Another process has it', onLost() {}, clock: CLOCK })
      await leave()
    },
  },
  {
    name: 'store: a question of a host',
    kind: 'json',
    samples: [STORED],
    refuses: ['UNREACHABLE'],
    read: (text) => parseQuestion(text),
  },
  {
    name: 'store: questions of a host',
    kind: 'json',
    samples: [{ questions: [STORED] }],
    refuses: ['UNREACHABLE'],
    read: (text) => parseQuestions(text),
  },
  {
    name: 'store: changes of a host',
    kind: 'json',
    samples: [[STORED]],
    refuses: ['UNREACHABLE'],
    read: (text) => parseChanges(text),
  },
  {
    name: 'store: the refusal of a host',
    kind: 'json',
    samples: [{ success: false, error: { code: 'FORBIDDEN', message: 'No', faults: [] } }],
    refuses: [],
    read: (text) => parseRefusal(text),
  },
  {
    name: 'store: the texts of a question',
    kind: 'json',
    samples: [...RECORDS, ...ANSWER_FILES],
    refuses: [],
    read(text) {
      const stored = { toolCallId: 'toolu_1', record: { text, version: '1' }, answer: { text, version: '1' } }
      readableRecordIn(stored, () => {})
      answerIn(stored, () => {})
    },
  },
  {
    name: 'store: whether an answer was delivered',
    kind: 'json',
    samples: [{ ...RECORDS[0], mirror: { delivered: 2 } }],
    refuses: ['UNREACHABLE', 'INVALID_FILE'],
    read(text) {
      const stored = { toolCallId: 'toolu_1', record: { text, version: '1' }, answer: null }
      const store = /** @type {any} */ ({ async *subscribe() {} })
      return whenDelivered(store, stored, 1, CLOCK)
    },
  },
  {
    name: 'nats: facts in a header',
    kind: 'json',
    samples: [['run-1', TIME, true]],
    refuses: [],
    read: (text) => readFacts(Buffer.from(text).toString('base64url'), 0),
  },
  {
    name: 'nats: what a runner asks to see',
    kind: 'json',
    samples: [{ place: 'a'.repeat(20), sequence: 1 }],
    refuses: [],
    read: (text) =>
      new Promise((resolve) => {
        // The pass is a wrong one, so nothing is started.
        watch(null, { subject: '$KV.a.n.p', string: () => text, respond: resolve })
      }),
  },
  {
    name: 'nats: what a runner asks of a file',
    kind: 'json',
    samples: [{ toolCallId: 'c', name: 'a'.repeat(64), offset: 262144 }],
    refuses: [],
    read: (text) =>
      new Promise((resolve) => {
        give(null, { subject: '$KV.a.n.pass', string: () => text, respond: resolve })
      }),
  },
  {
    name: 'nats: a subject',
    kind: 'text',
    samples: [`$KV.a.n.p.q.${tokenOf('c')}`, '$KV.a.n.p.b'],
    words: ['.', '*', '>', '$KV.a', 'h', 'i'],
    refuses: [],
    read(text, random) {
      const facts = readSubject({ bucket: 'a', stream: 'KV_a', root: '$KV.a' }, text)
      if (facts) idOf(facts.token, random.pick(['', 'uYQ', 'wYQA', text]))
    },
  },
  {
    name: 'postgres: a stored text',
    kind: 'text',
    samples: ['toolu_1', 'a~b', 'a'.repeat(300)],
    refuses: [],
    read(text) {
      if (textOf(storedText(text)) !== text) throw new Error('It reads another text than was stored')
      storageKey(text)
    },
  },
]
