// An agent that asks. A question is a line that it prints, and the answer is a line that it reads.
import { createInterface } from 'node:readline/promises'

const questions = [{ question: 'Where to?', options: [{ label: 'Staging' }, { label: 'Production' }] }]
console.log(JSON.stringify({ type: 'ask', questions }))

const user = createInterface({ input: process.stdin })
const { answers } = JSON.parse(await user.question(''))
user.close()
console.log(answers['Where to?'] ? `I deploy to ${answers['Where to?']}.` : 'No answer, so I do not deploy.')
