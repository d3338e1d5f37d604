import { createAnswerHandler, LocalSandbox } from '@sandagent/sdk'

const sandbox = new LocalSandbox({ workdir: 'workspace' })
const authorize = () => process.env.NODE_ENV === 'development' // Your sign-in goes here.
export const { GET, POST } = createAnswerHandler({ sandbox, authorize })
