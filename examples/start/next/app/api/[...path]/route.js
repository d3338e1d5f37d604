import { createAgents, LOOPBACK_HOSTS } from '@sandagent/sdk'

const isMine = process.env.NODE_ENV === 'development'
export const { GET, POST } = createAgents({
  agent: ['node', 'agent.mjs'],
  folder: 'workspace',
  user: () => (isMine ? 'me' : null), // Your sign-in goes here.
  allowedHosts: isMine ? LOOPBACK_HOSTS : undefined, // Without one, other sites must not get in.
}).web
