import { createAgents } from '@sandagent/sdk'
import express from 'express'

const agents = createAgents({ agent: ['node', 'agent.mjs'], folder: 'workspace' })
const app = express()
app.use('/api', agents.node)
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error
  console.log('Listening on', server.address())
})
