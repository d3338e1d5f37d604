// What is done while the question waits.

import { spawnSync } from 'node:child_process'
import { copyFileSync, linkSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answerFile,
  approvals,
  attempt,
  claimFile,
  folder,
  forged,
  forgedFor,
  ID,
  makeFolder,
  move,
  other,
  outside,
  ownFile,
  ownFolder,
  plantLink,
  QUESTION,
  questionFile,
  read,
  remove,
  replay,
  runId,
  write,
} from './own-files.mjs'

export const meanwhile = {
  'writes the answer': () => write(answerFile, forged()),

  'writes the claim of the final answer': () => write(claimFile, forged()),

  'renames a file of its own into the place of the answer': () => move(ownFile(), answerFile),

  'replaces the folder of answers': () => {
    move(approvals(), 'before')
    remove(approvals())
    move(ownFolder(), approvals())
  },

  'replaces the folder around it': () => {
    move('.sandagent', 'before')
    makeFolder(approvals())
    makeFolder(folder('questions'))
    attempt(() => copyFileSync(join('before/questions', `${ID}.json`), questionFile))
    write(answerFile, forged())
  },

  'mounts a folder of its own over that of the answers': () => {
    const mount = ['mount', '--bind', ownFolder(), approvals()]
    spawnSync(mount[0], mount.slice(1))
    spawnSync('unshare', ['-rm', ...mount])
  },

  'deletes the answers, and writes its own': () => {
    remove(approvals())
    makeFolder(approvals())
    write(answerFile, forged())
  },

  'plants a link to its own answer': () => {
    remove(answerFile)
    plantLink(ownFile(), answerFile)
  },

  'plants a link to a folder of its own answers': () => {
    move(approvals(), 'before')
    plantLink(ownFolder(), approvals())
  },

  'plants a hard link to its own answer': () => attempt(() => linkSync(ownFile(), answerFile)),

  'races the person': () => {
    const race = async () => {
      for (let round = 0; ; round++) {
        for (const path of [answerFile, claimFile]) {
          write(path, forged())
          move(ownFile(), path)
        }
        move(approvals(), `before-${round}`)
        makeFolder(approvals())
        await sleep(1)
      }
    }
    void race()
  },

  'replays an answer to another question': () => {
    const { nonce } = read(questionFile)
    for (const path of [answerFile, claimFile]) write(path, { ...replay, toolCallId: ID, nonce })
  },

  'gives its question the nonce of another one, and replays the answer to that': () => {
    write(questionFile, { ...read(questionFile), nonce: replay.nonce })
    for (const path of [answerFile, claimFile]) write(path, { ...replay, toolCallId: ID })
  },

  'edits the question before the person answers it': () => {
    const questions = [{ ...QUESTION, id: 'q1', question: 'Which colour shall it not be?' }]
    write(questionFile, { ...read(questionFile), questions })
  },

  'says that it was answered': () => {
    const responses = { q1: { selected: ['Red'], source: 'human' } }
    const settledAt = new Date().toISOString()
    write(questionFile, { ...read(questionFile), state: 'answered', settledAt, responses, revision: 1 })
  },

  'answers the question of another run': () => {
    for (const workdir of ['.', other])
      for (const name of attempt(() => readdirSync(join(workdir, folder('questions')))) ?? []) {
        if (!name.endsWith('.json') || name === `${ID}.json`) continue
        const answer = forgedFor(read(join(workdir, folder('questions', name))))
        write(join(workdir, approvals(name)), answer)
        write(join(workdir, approvals(`.${name.slice(0, -'.json'.length)}.final`)), answer)
      }
  },

  'plants links for the host to write through': () => {
    const victim = join(outside, 'victim')
    const answers = ['colour', 'second'].flatMap((id) => [`${runId}-${id}.json`, `.${runId}-${id}.final`])
    const records = ['stop.json', 'exit.json'].map((name) => folder('runs', runId, '1', name))
    for (const path of [...answers.map((name) => approvals(name)), ...records]) {
      remove(path)
      plantLink(victim, path)
    }
  },

  'plants folders for the host to write into': () => {
    for (const path of [folder('runs', runId, '1'), folder('runs', runId), approvals()]) {
      move(path, `before-${path.length}`)
      plantLink(outside, path)
    }
  },
}
