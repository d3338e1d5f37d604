// An agent that wants the answer "Red" to its question, which nobody gives. It asks, attacks, and asks a second question
// behind which everything that it did has been seen; what it reads it says aloud.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { before } from './before.mjs'
import { meanwhile } from './meanwhile.mjs'
import { approvals, attack, QUESTION, questionFile, runId } from './own-files.mjs'

const print = (line) => console.log(JSON.stringify(line))
const ask = (id, question) => print({ type: 'ask', id, questions: [question] })

const heard = new Set()
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, kind, answers } = JSON.parse(line)
  heard.add(id)
  const read = { runId, id, kind, answer: Object.values(answers ?? {})[0] }
  print({ type: 'say', text: `READ ${JSON.stringify(read)} .` })
  if (heard.has('colour') && heard.has('second')) process.exit()
})

if (attack === 'leaves a process behind that answers later') {
  const forger = fileURLToPath(new URL('forger.mjs', import.meta.url))
  spawn(process.execPath, [forger], { detached: true, stdio: 'ignore' }).unref()
  while (!existsSync('forger-is-there')) await sleep(5)
  process.exit()
}
before[attack]?.()
ask('colour', QUESTION)
if (meanwhile[attack]) {
  while (!(existsSync(questionFile) && existsSync(approvals()))) await sleep(5)
  meanwhile[attack]()
}
ask('second', { question: 'Did it work?' })
