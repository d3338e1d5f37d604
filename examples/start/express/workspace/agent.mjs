import { ask } from '@sandagent/runner'

const where = await ask('Where to?', ['Staging', 'Production'])
console.log(where ? `I deploy to ${where}.` : 'No answer, so I do not deploy.')
