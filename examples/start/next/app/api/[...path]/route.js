import { createAgents } from '@sandagent/sdk'

const user = () => (process.env.NODE_ENV === 'development' ? 'me' : null) // Your sign-in goes here.
const agents = createAgents({ agent: ['node', 'agent.mjs'], folder: 'workspace', user })
export const { GET, POST } = agents.web
