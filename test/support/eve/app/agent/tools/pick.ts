import { defineWorkflowTool } from 'eve/tools'
import { z } from 'zod'

/** Asks a question that takes no words. */
export default defineWorkflowTool({
  description: 'Lets the user pick a size.',
  inputSchema: z.object({}),
  async execute(_, ctx) {
    'use workflow'
    return ctx.ask({
      prompt: 'Which size?',
      display: 'select',
      allowFreeform: false,
      options: [
        { id: 's', label: 'Same' },
        { id: 'l', label: 'Same' },
      ],
    })
  },
})
