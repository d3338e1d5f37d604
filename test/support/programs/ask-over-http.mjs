// A script that asks over HTTP, and waits for ever. The URL of the host and a token are the arguments.

import { createHttpRunnerChannel } from '@sandagent/fleet'
import { askUser } from '@sandagent/runner'

const [, , url, token] = process.argv
const channel = createHttpRunnerChannel({ url, token })
const questions = [{ question: 'Which language?', options: [{ label: 'Python' }, { label: 'Go' }] }]
const request = { toolCallId: 'call_1', runId: 'run', questions }
const { kind } = await askUser(channel, request, { timeoutMs: 'never', onAsked: () => console.log('asked') })
console.log(kind)
