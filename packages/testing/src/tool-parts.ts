import {
  ASK_TOOL,
  type AskUserQuestionOutput,
  checkOptions,
  describeOutcome,
  encodeAnswers,
  type OutcomeKind,
  type Question,
  unansweredIds,
  withIds,
} from '@sandagent/core/internal'
import { responsesTo, type SaidAnswers } from './said-answers.ts'

export interface ToolPartsOptions {
  /** Default: another one for each call, `call-1`, `call-2` and so on. */
  toolCallId?: string | undefined
  /** Default `AskUserQuestion`. For a tool that needs an approval: its name, such as `Bash`. */
  toolName?: string | undefined
  /** The whole input of the call. Default: the questions. */
  input?: unknown
}

interface PartOf<State extends string> {
  type: 'dynamic-tool'
  toolName: string
  toolCallId: string
  /** As runners write it: then the chat does not answer the call itself. */
  providerExecuted: true
  state: State
  input: unknown
}

/** The message part of one tool call in each of its states: dynamic tool parts of the AI SDK 5, 6 and 7. */
export interface ToolParts {
  /** The model still writes the questions; so many of them are there. Default: none. */
  streaming(questionCount?: number): PartOf<'input-streaming'>
  /** The question waits. */
  waiting(): PartOf<'input-available'>
  /** The call has an output. It is `partial` if a question has no answer. */
  answered(
    said: SaidAnswers,
    answeredBy?: string,
  ): PartOf<'output-available'> & { output: AskUserQuestionOutput }
  /** The person declined. */
  declined(reason?: string): PartOf<'output-error'> & { errorText: string }
  /** Nobody answered within this time, in milliseconds. */
  timedOut(elapsedMs?: number): PartOf<'output-error'> & { errorText: string }
  /** The agent was stopped while it asked. */
  withdrawn(): PartOf<'output-error'> & { errorText: string }
  /** The tool failed. */
  failed(errorText: string): PartOf<'output-error'> & { errorText: string }
  /** The AI SDK asks whether the tool may run. From version 6 on. */
  approvalRequested(): PartOf<'approval-requested'> & { approval: { id: string } }
  /** A person decided whether it may. From version 6 on. */
  approvalResponded(
    approved: boolean,
    reason?: string,
  ): PartOf<'approval-responded'> & { approval: { id: string; approved: boolean; reason?: string } }
  /** It may not, and the call has ended. From version 6 on. */
  denied(
    reason?: string,
  ): PartOf<'output-denied'> & { approval: { id: string; approved: false; reason?: string } }
}

let calls = 0

/** Makes the parts of one call that asks these questions, with the outputs and texts that runners write. */
export function createToolParts(questions: readonly Question[], options: ToolPartsOptions = {}): ToolParts {
  checkOptions('createToolParts: its options', options, { toolCallId: true, toolName: true, input: true })
  const { toolCallId = `call-${++calls}`, toolName = ASK_TOOL.name, input: whole = { questions } } = options
  const asked = withIds(questions)
  const part = <State extends string>(state: State, input = whole): PartOf<State> => ({
    type: 'dynamic-tool',
    toolName,
    toolCallId,
    providerExecuted: true,
    state,
    input,
  })
  const ended = (kind: OutcomeKind, facts: { reason?: string; elapsedMs?: number } = {}) => {
    const unanswered = asked.map(({ id }) => id)
    return describeOutcome({ kind, questions: asked, responses: {}, unanswered, ...facts })
  }
  const failed = (errorText: string) => ({ ...part('output-error'), errorText })
  const approval = { id: `approval of ${toolCallId}` }
  return {
    streaming: (questionCount) =>
      part(
        'input-streaming',
        questionCount === undefined ? undefined : { questions: questions.slice(0, questionCount) },
      ),
    waiting: () => part('input-available'),
    answered(said, answeredBy) {
      const responses = responsesTo(asked, said)
      const unanswered = unansweredIds(asked, responses)
      const output: AskUserQuestionOutput = {
        questions: asked,
        answers: encodeAnswers(asked, responses),
        responses,
        status: unanswered.length === 0 ? 'answered' : 'partial',
        ...(unanswered.length > 0 && { unanswered }),
        ...(answeredBy !== undefined && { answeredBy }),
      }
      return { ...part('output-available'), output }
    },
    declined: (reason) => failed(ended('declined', reason === undefined ? {} : { reason })),
    timedOut: (elapsedMs) => failed(ended('timed-out', elapsedMs === undefined ? {} : { elapsedMs })),
    withdrawn: () => failed(ended('aborted')),
    failed,
    approvalRequested: () => ({ ...part('approval-requested'), approval }),
    approvalResponded: (approved, reason) => ({
      ...part('approval-responded'),
      approval: { ...approval, approved, ...(reason !== undefined && { reason }) },
    }),
    denied: (reason) => ({
      ...part('output-denied'),
      approval: { ...approval, approved: false, ...(reason !== undefined && { reason }) },
    }),
  }
}
