// Asks many questions at once, lists them, answers all at once, and prints what became of them.

import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'

const [workdir = '', count = ''] = process.argv.slice(2)
const ids = Array.from({ length: Number(count) }, (_, index) => `call-${index}`)
const questions = [{ question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]

const channel = createFileRunnerChannel({ workdir })
const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation() {} })
let asked = () => {}
const allAsked = new Promise((resolve) => {
  let left = ids.length
  asked = () => --left === 0 && resolve()
})
const outcomes = ids.map((toolCallId) => {
  const request = { toolCallId, runId: 'run-1', questions }
  return askUser(channel, request, { timeoutMs: 'never', onAsked: asked })
})
await Promise.race([allAsked, Promise.all(outcomes)])
const listed = (await listQuestions(sandbox)).length
const answers = { 'Which language?': 'B' }
await Promise.all(
  ids.map((toolCallId) => submitAnswer(sandbox, { toolCallId, status: 'completed', answers })),
)
const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind)
const answered = kinds.filter((kind) => kind === 'answered').length
console.log(JSON.stringify({ listed, answered, left: (await listQuestions(sandbox)).length }))
process.exit()
