// Parsers of @sandagent/inbox: its cursors, and the known workdirs.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { cursorAt, rankAt } from '../../../packages/inbox/dist/inbox-question.js'
import { knownWorkdirs } from '../../../packages/inbox/dist/known-workdirs.js'

/** @typedef {import('../parser.mjs').Parser} Parser */

/** Where this thread keeps its known workdirs. */
process.env.XDG_CONFIG_HOME = join(workerData.folder, 'config')
const WORKDIRS = join(workerData.folder, 'config/sandagent/workdirs')
mkdirSync(WORKDIRS, { recursive: true })

/** @type {Parser[]} */
export const INBOX = [
  {
    name: 'inbox: a cursor of an inbox',
    kind: 'json',
    samples: [[Date.parse('2025-01-30T12:00:00.000Z'), 'toolu_1', 'sandbox']],
    refuses: ['INVALID_REQUEST'],
    read: (text) => cursorAt(rankAt(Buffer.from(text).toString('base64url'))),
  },
  {
    name: 'inbox: a cursor as text',
    kind: 'text',
    samples: [cursorAt([1, 'a', 'b'])],
    refuses: ['INVALID_REQUEST'],
    read: (text) => rankAt(text),
  },
  {
    name: 'inbox: a known workdir',
    isSlow: true,
    kind: 'json',
    samples: [
      { workdir: '/tmp', stateFolder: '.sandagent' },
      { workdir: '/missing', stateFolder: '.sandagent' },
    ],
    refuses: [],
    read(text) {
      writeFileSync(join(WORKDIRS, 'a.json'), text)
      return knownWorkdirs({ onWarning() {} })
    },
  },
]
