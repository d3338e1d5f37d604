// A host with little memory, in a process of its own: it serves one sandbox, and prints what a request gets.
import { createAnswerHandler, LocalSandbox, listQuestions } from '@sandagent/sdk'

const [workdir, toolCallId] = process.argv.slice(2)
const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
const { GET } = createAnswerHandler({ sandbox, authorize: () => true })

const get = (path) => GET(new Request(`http://localhost/api/answer${path}`))
const one = await get(`?toolCallId=${toolCallId}`)
const all = await get('')
const { questions } = await all.json()
const listed = await listQuestions(sandbox)
console.log(
  JSON.stringify({ one: one.status, all: all.status, questions: questions.length, listed: listed.length }),
)
