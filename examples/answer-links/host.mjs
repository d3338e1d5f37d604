// Asks by e-mail: a link lets its holder answer one question without signing in.   node examples/answer-links/host.mjs FOLDER
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  createAnswerHandler,
  createAnswerLink,
  LocalSandbox,
  toNodeHandler,
  watchQuestions,
} from '@sandagent/sdk'

const workdir = process.argv[2] ?? 'example'
const { PORT = '4400', TO = 'ada@example.com', PAGE } = process.env
const sandbox = new LocalSandbox({ workdir })

const server = createServer()
await once(server.listen(Number(PORT), '127.0.0.1'), 'listening')
const address = /** @type {import('node:net').AddressInfo} */ (server.address())
const page = PAGE ?? `http://127.0.0.1:${address.port}/`

const answers = toNodeHandler(createAnswerHandler({ sandbox, links: { page } }))
const form = readFileSync(new URL('page.html', import.meta.url))
server.on('request', (request, response) => {
  if (request.url?.startsWith('/api/answer')) answers(request, response)
  else response.setHeader('content-type', 'text/html; charset=utf-8').end(form)
})

/** Replace this by your mailer. Put words of an agent only into the text: in a subject, a line break begins a header. */
const mail = (/** @type {{ to: string, subject: string, text: string }} */ message) =>
  console.log(JSON.stringify(message))

const mailed = new Set()
for await (const { toolCallId, questionDigest, state, questions } of watchQuestions(sandbox, {
  signal: new AbortController().signal,
})) {
  if (state !== 'open' || mailed.has(questionDigest)) continue
  mailed.add(questionDigest)
  const link = await createAnswerLink(sandbox, { toolCallId, page, answeredBy: TO })
  const text = `${questions.map(({ question }) => `> ${question}`).join('\n')}\n\nAnswer here: ${link}`
  mail({ to: TO, subject: 'An agent has a question for you', text })
}
