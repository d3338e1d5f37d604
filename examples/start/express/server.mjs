import { createAgents } from '@sandagent/sdk'
import express from 'express'

const agents = createAgents({ agent: ['node', 'agent.mjs'], folder: 'workspace' })
const app = express()
app.use('/api', agents.node)
app.use(express.static('dist')) // The page, once there is one.
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error // EADDRINUSE: set another PORT.
  console.log('Listening on', server.address())
})
