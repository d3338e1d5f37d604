import { openai } from '@ai-sdk/openai'
import { askingStream } from '@sandagent/ai-sdk'
import { createAgents } from '@sandagent/sdk'

const model = openai('gpt-5-mini')
const system = 'Ask the user before you decide anything for them.'
const user = () => (process.env.NODE_ENV === 'development' ? 'me' : null) // Your sign-in goes here.
const agent = (chat) => askingStream({ model, system, ...chat })
export const { GET, POST } = createAgents({ agent, folder: 'workspace', user }).web
