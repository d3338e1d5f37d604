// Checks that the words of the older format stand only in core's room `compat`, and at its few doors. See
// docs/decisions/0017-an-answer-without-a-status-can-be-replaced.md

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './run.mjs'

const ROOM = 'packages/core/src/compat/'

/**
 * The words, each with the files outside of the room that need it: a field where files are described and read, an option where
 * users set it.
 *
 * @type {Record<string, string[]>}
 */
const WORDS = {
  replaceable: [
    'packages/core/src/record/answer-file/answer-file.ts',
    'packages/core/src/record/answer-file/parse-answer-file.ts',
  ],
  passedOver: ['packages/core/src/record/question-record.ts'],
  quietMs: ['packages/core/src/defaults.ts', 'packages/runner/src/ask/ask-options.ts'],
  olderRunners: ['packages/sdk/src/answers/questions.ts', 'packages/sdk/src/http/answer-handler.ts'],
  nothingThere: [],
  olderQuestions: [],
  unrecorded: [],
  fromOlderFormat: [],
  toOlderFormat: [],
  EVERY_UNBOUND_ANSWER: [],
}

/**
 * @param {ReadonlyMap<string, string>} files source texts by path from the root
 * @returns {string[]} a line for each word in a file that does not need it
 */
export function wordFaults(files) {
  return [...files].flatMap(([path, text]) => {
    if (path.startsWith(ROOM)) return []
    return Object.keys(WORDS)
      .filter((word) => new RegExp(`\\b${word}\\b`).test(text) && !WORDS[word]?.includes(path))
      .map(
        (word) =>
          `${path}: ${word} is a word of the older format. Give the file a function of ${ROOM} instead`,
      )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'packages/*/src/*.ts', 'packages/*/src/*.tsx'],
    {
      cwd: root,
    },
  )
  const paths = String(listed).trim().split('\n')
  // A deleted file may not be committed yet.
  const there = [...new Set(paths)].filter((path) => existsSync(join(root, path)))
  const faults = wordFaults(new Map(there.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
