import { defineTool } from 'eve/tools'
import { always } from 'eve/tools/approval'
import { z } from 'zod'

export default defineTool({
  description: 'Deploys the project.',
  inputSchema: z.object({ to: z.string() }),
  approval: { request: always(), prompt: ({ input }) => `Deploy to ${input.to}, as the plan says?` },
  execute: async ({ to }) => ({ deployed: to }),
})
