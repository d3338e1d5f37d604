import type { ToolDefinition } from '../tool-definition.ts'

/** AgentRail's tool for questions. */
export const AGENTRAIL_TOOL: ToolDefinition = {
  name: 'AskUserQuestion',
  description:
    'Asks the user one question and waits for the answer. Use it sparingly, for what only the user can decide. Leave out the options to have the answer typed. Put an option that you recommend first and end its label with " (Recommended)".',
  inputSchema: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'The question, specific and short.' },
      hint: {
        type: 'string',
        description: 'What a typed answer should look like; leave it out where there are options.',
      },
      options: {
        type: 'array',
        items: { type: 'string' },
        description: 'The choices. Do not add "Other": see custom.',
      },
      multiple: { type: 'boolean', default: false, description: 'Whether several options may be picked.' },
      custom: {
        type: 'boolean',
        default: true,
        description: 'Whether the user may type an answer of their own beside the options.',
      },
    },
    required: ['question'],
    additionalProperties: false,
  },
}
