// What the attacker knows, and the files that it makes.

import * as fs from 'node:fs'
import { join } from 'node:path'

/** `replay` is the answer file of an earlier run, `outside` a folder of the host's, `other` the workdir of another run. */
export const { attack, runId, outside, other, replay } = JSON.parse(process.env.SANDAGENT_PROMPT ?? '{}')

export const QUESTION = { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
export const ID = `${runId}-colour`

export const folder = (...names) => join('.sandagent', ...names)
export const approvals = (...names) => folder('approvals', ...names)
export const questionFile = folder('questions', `${ID}.json`)
export const answerFile = approvals(`${ID}.json`)
/** The file whose exclusive creation decides who answered first. */
export const claimFile = approvals(`.${ID}.final`)

/** Tries what may be impossible: the next step is tried all the same. */
export function attempt(step) {
  try {
    return step()
  } catch {
    return undefined
  }
}

export const read = (path) => attempt(() => JSON.parse(fs.readFileSync(path, 'utf8')))
export const makeFolder = (path) => attempt(() => fs.mkdirSync(path, { recursive: true }))
export const move = (from, to) => attempt(() => fs.renameSync(from, to))
export const remove = (path) => attempt(() => fs.rmSync(path, { recursive: true, force: true }))
export const plantLink = (target, path) => attempt(() => fs.symlinkSync(target, path))
export const write = (path, content) => attempt(() => fs.writeFileSync(path, JSON.stringify(content)))

/** What a host would write if somebody had picked "Red". */
export const forgedFor = (record) => ({
  questions: [QUESTION],
  answers: { 'Which colour?': 'Red' },
  status: 'completed',
  timestamp: new Date().toISOString(),
  version: 1,
  toolCallId: record?.toolCallId ?? ID,
  ...(record && { nonce: record.nonce }),
  revision: 1,
  responses: { q1: { selected: ['Red'], source: 'human' } },
})

export const forged = () => forgedFor(read(questionFile))

/** A file of its own with a forged answer in it. */
export function ownFile() {
  write('own.json', forged())
  return join(process.cwd(), 'own.json')
}

/** A folder of its own that looks like the host's. */
export function ownFolder() {
  makeFolder('own')
  write(`own/${ID}.json`, forged())
  write(`own/.${ID}.final`, forged())
  return join(process.cwd(), 'own')
}
