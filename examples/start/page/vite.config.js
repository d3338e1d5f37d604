import { createAgents } from '@sandagent/sdk'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const agents = () => createAgents({ agent: ['node', 'agent.mjs'], folder: 'workspace' }).node

export default defineConfig({
  plugins: [
    react(),
    { name: 'agents', configureServer: ({ middlewares }) => void middlewares.use('/api', agents()) },
  ],
})
