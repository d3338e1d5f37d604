// Parsers of @sandagent/grants: commands of a shell, what is kept of a grant, and its uses.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { isJson } from '../../../packages/core/dist/internal.js'
import { createGrantFiles } from '../../../packages/grants/dist/grant-files.js'
import { listGrants } from '../../../packages/grants/dist/index.js'
import { isWithin, reachesOf, reachText } from '../../../packages/grants/dist/reach/reach.js'
import { readCommand } from '../../../packages/grants/dist/reach/read-command.js'

/** @typedef {import('../parser.mjs').Parser} Parser */

const ID = '0123456789abcdef'
const TIME = '2025-01-30T12:00:00.000Z'
const folder = join(workerData.folder, 'grants')
mkdirSync(folder, { recursive: true, mode: 0o700 })
const files = createGrantFiles(folder, { onWarning() {} })

const GRANT = {
  version: 1,
  id: ID,
  place: '/work',
  owner: 'ada',
  givenAt: TIME,
  givenBy: 'ada',
  roles: ['lead'],
  toolCallId: 'toolu_1',
  reach: { kind: 'command', toolName: 'Bash', words: ['node', 'build.js'], settings: 'x' },
  span: { kind: 'run', runId: 'run-1', process: '1 2 a/b/c' },
  ended: { at: TIME, kind: 'revoked', by: 'ada' },
}

/** @type {Parser[]} */
export const GRANTS = [
  {
    name: 'grants: a command of a shell',
    kind: 'text',
    samples: ['node build.js', "git commit -m 'a b'", 'a && b', 'a "$(b)"'],
    refuses: [],
    read: (text) => readCommand(text),
  },
  {
    name: 'grants: a tool call',
    kind: 'value',
    samples: [
      { toolName: 'Bash', input: { command: 'node a.js', description: 'd' } },
      { toolName: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' } },
      { toolName: 'mcp__a__b', input: { title: 't' } },
    ],
    refuses: [],
    read(value) {
      const { toolName, input } = Object(value)
      // A question with such an input is refused before anybody asks for its scopes.
      if (!isJson(input)) return
      const call = { toolName: typeof toolName === 'string' ? toolName : 'Bash', input, hostFolder: folder }
      return reachesOf(call).map((reach) => [reachText(reach), isWithin(reach, call)])
    },
  },
  {
    name: 'grants: a grant',
    isSlow: true,
    kind: 'json',
    samples: [
      GRANT,
      { ...GRANT, span: { kind: 'time', until: TIME } },
      { ...GRANT, reach: { kind: 'edits', toolName: 'Edit', folder: 'src' }, span: { kind: 'folder' } },
    ],
    refuses: [],
    read(text) {
      writeFileSync(join(folder, `${ID}.json`), text)
      return listGrants(folder, { onWarning() {} })
    },
  },
  {
    name: 'grants: the uses of a grant',
    isSlow: true,
    kind: 'json',
    samples: [
      { at: TIME, toolCallId: 'c', runId: 'r', key: 'k' },
      { at: TIME, key: 'k', undone: true },
    ],
    refuses: [],
    read(text) {
      writeFileSync(join(folder, `${ID}.uses`), `${text}\n{"at"`)
      return files.uses(ID)
    },
  },
]
