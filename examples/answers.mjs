// The answer API of a folder: it takes the answers to all questions there.   node examples/answers.mjs FOLDER
import { createServer } from 'node:http'
import { createAnswerHandler, LocalSandbox, toNodeHandler } from '@sandagent/sdk'

const workdir = process.argv[2] ?? 'example'
const { PORT = '4300' } = process.env

const answers = createAnswerHandler({ sandbox: new LocalSandbox({ workdir }) })
const server = createServer(toNodeHandler(answers))
server.listen(Number(PORT), '127.0.0.1', () => console.log('The answer API listens on', server.address()))
