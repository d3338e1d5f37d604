import { isObject } from '../../lib/objects.ts'
import type { AskedQuestion } from '../../question/question.ts'
import { assumptionOf } from '../assumption.ts'
import { ASK_TOOL, objectSchema, type ToolDefinition, textSchema } from './tool-definition.ts'

const { questions } = ASK_TOOL.inputSchema.properties ?? {}

/** {@link ASK_TOOL} for agents that can go on without an answer. */
export const TICKET_ASK_TOOL: ToolDefinition = {
  ...ASK_TOOL,
  description: `${ASK_TOOL.description} With "blocking": false you do not wait: you get a ticket at once, and work on with the default of each question as your assumption. The answer comes later. Use it where a wrong guess can be undone.`,
  inputSchema: {
    ...ASK_TOOL.inputSchema,
    properties: {
      questions: {
        type: 'array',
        ...questions,
        items: {
          type: 'object',
          ...questions?.items,
          properties: {
            ...questions?.items?.properties,
            defaultOption: textSchema(
              'The label of the option that stands in when nobody answers in time. With "blocking": false, what you assume until the answer comes.',
            ),
            defaultText: textSchema('The same as words, where no option is what you assume.'),
          },
        },
      },
      blocking: {
        type: 'boolean',
        description: 'Whether you wait for the answer. Default true.',
      },
    },
  },
}

/** What a model does with a ticket. */
export const TICKET_ACTIONS = ['look', 'wait', 'withdraw'] as const

type TicketAction = (typeof TICKET_ACTIONS)[number]

/** The tool by which a model asks about a question for which it did not wait. */
export const CHECK_TOOL: ToolDefinition = {
  name: 'CheckQuestion',
  description:
    'Tells whether a question that you asked with "blocking": false has an answer. Wait for it when you can do nothing more without it. Withdraw it when you no longer need it.',
  inputSchema: objectSchema(['ticket'], {
    ticket: textSchema('The ticket that you got when you asked.'),
    action: {
      ...textSchema(
        '"look" tells how it stands, "wait" waits for the answer, "withdraw" takes the question back. Default "look".',
      ),
      enum: [...TICKET_ACTIONS],
    },
  }),
}

/** What a model gives {@link CHECK_TOOL}. */
export interface CheckQuestionInput {
  ticket: string
  action?: TicketAction | undefined
}

/** What a model reads of a question that has no answer yet. */
export function describeTicket(
  ticket: string,
  asked: readonly AskedQuestion[],
  /** How it gets the answer. */
  how: string,
): string {
  const assumed = asked.map((question) => {
    const assumption = assumptionOf(question)
    const words = assumption === undefined ? 'nothing; leave it open' : JSON.stringify(assumption)
    return `- ${JSON.stringify(question.question)}: ${words}`
  })
  return [
    `The user has not answered yet. Ticket: ${ticket}`,
    'Go on, and assume until the answer comes:',
    ...assumed,
    how,
  ].join('\n')
}

/** What the tool gives for a question that has no answer yet. */
export interface TicketOutput {
  ticket: string
  questions: AskedQuestion[]
  /** What the model reads. */
  text: string
}

/** Whether an output is a ticket. */
export const isTicket = (output: unknown): output is TicketOutput =>
  isObject(output) && typeof output.ticket === 'string'
