import {
  type AskUserQuestionOutput,
  asModelsRead,
  describeOutcome,
  encodeAnswers,
  filesInWords,
  type GivenResponse,
  type Outcome,
  recordOf,
} from '@sandagent/core/internal'
import type { UiStream } from './ui-stream.ts'

/** The result of a tool call: its output, or why there is none. */
export type ToolResult = { output: AskUserQuestionOutput } | { errorText: string }

/** The tool result of an outcome. A decline, a time-out or an abort is an error, never an output. */
export function toolResultOf(outcome: Outcome): ToolResult {
  const { kind, questions, responses, unanswered, answeredBy, held } = asModelsRead(outcome)
  if (kind !== 'answered' && kind !== 'partial') return { errorText: describeOutcome(outcome) }
  return {
    output: {
      questions,
      answers: encodeAnswers(questions, filesInWords(responses)),
      responses,
      status: kind,
      ...(unanswered.length > 0 && { unanswered }),
      ...(answeredBy !== undefined && { answeredBy }),
      ...(held && { held }),
    },
  }
}

/** The output as text for a model. */
export const describeOutput = ({ status, unanswered = [], ...rest }: AskUserQuestionOutput): string =>
  describeOutcome({ kind: status, unanswered, ...rest })

/** Ends the tool call of a question in the UI stream. People read it: how a secret is used is told to its asker alone. */
export function writeOutcome(ui: UiStream, outcome: Outcome): Promise<void> {
  const result = toolResultOf(outcome.secrets ? withoutUse(outcome, outcome.secrets) : outcome)
  return 'output' in result
    ? ui.toolOutput(outcome.toolCallId, result.output)
    : ui.toolError(outcome.toolCallId, result.errorText)
}

const withoutUse = (outcome: Outcome, secrets: Readonly<Record<string, string>>): Outcome => ({
  ...outcome,
  responses: {
    ...outcome.responses,
    ...recordOf(Object.keys(secrets), (id) => ({
      ...(outcome.responses[id] as GivenResponse),
      freeText: 'given as a secret',
    })),
  },
})
