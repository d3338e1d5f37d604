import type { ToolDefinition, ToolSchema } from '../../answer/tools/tool-definition.ts'

const KIND = Symbol.for('TypeBox.Kind')
const OPTIONAL = Symbol.for('TypeBox.Optional')
const KINDS = {
  object: 'Object',
  array: 'Array',
  string: 'String',
  boolean: 'Boolean',
  number: 'Number',
} as const

/**
 * Gives a schema the symbols by which TypeBox knows its own. AgentRail checks the arguments of each call with TypeBox,
 * which throws for a schema without them. JSON leaves symbols out.
 */
function asTypeBox(schema: ToolSchema): ToolSchema {
  const { type, properties, required = [], items } = schema
  const property = ([key, value]: [string, ToolSchema]): [string, ToolSchema] => [
    key,
    { ...asTypeBox(value), ...(!required.includes(key) && { [OPTIONAL]: 'Optional' }) },
  ]
  return {
    ...schema,
    [KIND]: KINDS[type],
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(property)) }),
    ...(items && { items: asTypeBox(items) }),
  } as ToolSchema
}

/** AgentRail's tool for questions. Its schema is one of JSON Schema and of TypeBox alike. */
export const AGENTRAIL_TOOL: ToolDefinition = {
  name: 'AskUserQuestion',
  description:
    'Asks the user one question and waits for the answer. Use it sparingly, for what only the user can decide. Leave out the options to have the answer typed. Put an option that you recommend first and end its label with " (Recommended)".',
  inputSchema: asTypeBox({
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
  }),
}
