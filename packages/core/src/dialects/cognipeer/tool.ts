import { objectSchema, type ToolDefinition, textSchema } from '../../answer/tools/tool-definition.ts'
import type { CognipeerOptions } from './request.ts'

/** The name of Cognipeer's tool for questions. */
export const COGNIPEER_TOOL_NAME = 'ask_user_question'

const option = objectSchema(['label'], {
  label: textSchema('What the user picks.'),
  value: textSchema('What the answer carries for it, when that is not the label.'),
  description: textSchema('What choosing it means.'),
  preview: textSchema('Longer content to compare the options by.'),
})

/**
 * Cognipeer's tool for questions. Without typed answers every question needs its options.
 *
 * @param promptOverride takes the place of the description
 */
export function cognipeerTool({
  allowFreeText = true,
  promptOverride,
}: CognipeerOptions & { promptOverride?: string } = {}): ToolDefinition {
  const question = objectSchema(allowFreeText ? ['question'] : ['question', 'options'], {
    question: textSchema('The whole question.'),
    header: { ...textSchema('A short label of about 12 characters.'), maxLength: 40 },
    options: {
      type: 'array',
      items: option,
      minItems: 2,
      maxItems: 12,
      description: allowFreeText ? 'The choices; none lets the user type the answer.' : 'The choices.',
    },
    multiSelect: { type: 'boolean', default: false, description: 'Whether several may be picked.' },
    placeholder: textSchema('A hint inside the empty text field.'),
    required: { type: 'boolean', default: true, description: 'Whether an answer is needed here.' },
  })
  const answers = allowFreeText
    ? 'The user may also type an answer of their own.'
    : 'Every question needs options: the user cannot type an answer.'
  return {
    name: COGNIPEER_TOOL_NAME,
    description:
      promptOverride ??
      `Asks the user one to four questions that belong together, and waits. Use it when you cannot go on without what only they can say, not for what the conversation or another tool tells you. Give options wherever you can foresee the answers. ${answers}`,
    inputSchema: objectSchema(['questions'], {
      questions: {
        type: 'array',
        items: question,
        minItems: 1,
        maxItems: 4,
        description: 'One to four questions.',
      },
    }),
  }
}
