import { objectSchema, type ToolDefinition, textSchema } from '../../answer/tools/tool-definition.ts'

const option = objectSchema(['label', 'description'], {
  label: textSchema('What the user picks: one to five words, distinct within the question.'),
  description: textSchema('What choosing this means, and what speaks for or against it.'),
  preview: textSchema('Longer content to compare the choices by, such as a snippet or a layout.'),
})

const question = objectSchema(['question', 'header', 'options', 'multiSelect'], {
  question: textSchema('The whole question, distinct within the call; it ends with a question mark.'),
  header: textSchema('A label of at most 12 characters that tells the questions apart, such as "Language".'),
  options: {
    type: 'array',
    items: option,
    minItems: 2,
    maxItems: 4,
    description:
      'Two to four choices that exclude each other, unless several may be picked. Do not add "Other": the user may always type an answer.',
  },
  multiSelect: {
    type: 'boolean',
    default: false,
    description: 'Whether several choices may be picked.',
  },
})

/**
 * Claude's tool for questions, with the limits of its own schema. The places that its schema has for the answers are
 * left out: a model that sees them may fill them in.
 */
export const CLAUDE_TOOL: ToolDefinition = {
  name: 'AskUserQuestion',
  description:
    'Asks the user one to four questions and waits for the answers. Use it only when you are held up by a decision that is the user’s to make, and that neither the request, nor the code, nor a sensible default settles. Where there is a usual default, or a fact that you can look up, take it, say so, and go on. The user may always type an answer of their own. Put a choice that you recommend first and end its label with "(Recommended)". Before a plan is final, use it to clear up what the plan needs; do not use it to ask whether a plan is ready or may be carried out: the user has not seen it yet. The user may see only the questions, not what you wrote or read before them in this turn. Each question must make sense alone: say in a few words which finding it depends on, and name the things that it asks about.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...objectSchema(['questions'], {
      questions: {
        type: 'array',
        items: question,
        minItems: 1,
        maxItems: 4,
        description: 'One to four questions that belong together.',
      },
    }),
  },
}
