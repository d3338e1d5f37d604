import { createAgents } from '@sandagent/sdk'
import react from '@vitejs/plugin-react'

const configureServer = ({ middlewares }) => {
  middlewares.use('/api', createAgents({ agent: ['node', 'agent.mjs'], folder: 'workspace' }).node)
}
export default { plugins: [react(), { name: 'agents', configureServer }] }
