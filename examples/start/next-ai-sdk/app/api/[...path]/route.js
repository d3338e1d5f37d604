import { openai } from '@ai-sdk/openai'
import { askingStream } from '@sandagent/ai-sdk'
import { createAgents, LOOPBACK_HOSTS } from '@sandagent/sdk'

const model = openai('gpt-5-mini')
const system = 'Ask the user before you decide anything for them.'
const isMine = process.env.NODE_ENV === 'development'
const agents = createAgents({
  agent: (chat) => askingStream({ model, system, ...chat }),
  folder: 'workspace',
  user: () => (isMine ? 'me' : null), // Your sign-in goes here.
  allowedHosts: isMine ? LOOPBACK_HOSTS : undefined, // Without one, other sites must not get in.
})
export const { GET, POST } = agents.web
