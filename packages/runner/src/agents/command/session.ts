import {
  ASK_TOOL,
  AskError,
  approvalQuestion,
  checkQuestionKeys,
  describeOutcome,
  type Outcome,
  type QuestionRecord,
} from '@sandagent/core/internal'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'
import { writeOutcome } from '../../run/tool-result.ts'
import {
  type AnswerLine,
  type AskLine,
  aimOf,
  type ErrorLine,
  parseProgramLine,
  type ReplyLine,
  type ToolLine,
} from './lines.ts'
import { CommandProse } from './prose.ts'

export interface CommandSession {
  /** Does what a line says, without waiting for an answer. Faults become replies. Pass one line at a time. */
  take(line: string): Promise<void>
  /** Ends the open text and resolves when no question waits any more. */
  end(): Promise<void>
}

export interface CommandSessionOptions {
  run: AgentRun
  /** Withdraws the open questions. */
  signal: AbortSignal
  reply: (line: ReplyLine) => void
}

export function createCommandSession({ run, signal, reply }: CommandSessionOptions): CommandSession {
  const { ui, runId, onWarning } = run
  const prose = new CommandProse(ui)
  const asked: Promise<void>[] = []
  const withdrawals = new Map<string, AbortController>()
  let tools = 0

  const refuse = (error: unknown, id?: string): void => {
    const line = errorLine(error, id)
    reply(line)
    onWarning?.(line)
  }

  const ask = async ({
    id,
    subject,
    questions = subject ? [approvalQuestion(subject.toolName)] : [],
    timeoutMs,
    timeoutPolicy,
    takesQuestions,
    wait: blocking,
  }: AskLine & { id: string }): Promise<void> => {
    const call = { toolCallId: `${runId}-${id}`, toolName: subject?.toolName ?? ASK_TOOL.name }
    const approval = subject && ({ kind: 'approval', subject } as const)
    const before = withdrawals.get(id)
    const withdrawal = before && !before.signal.aborted ? before : new AbortController()
    withdrawals.set(id, withdrawal)
    try {
      checkQuestionKeys(questions)
      const onAsked = (record: QuestionRecord) =>
        ui.toolInput({ ...call, input: subject ? subject.input : inputOf(record) })
      const until = AbortSignal.any([signal, withdrawal.signal])
      const options = { timeoutMs, timeoutPolicy, signal: until, onAsked }
      const request = { ...call, ...approval, questions, takesQuestions, blocking }
      const outcome = await askInRun(run, request, options)
      await writeOutcome(ui, outcome)
      reply(answerLine(id, outcome))
    } catch (error) {
      refuse(error, id)
    } finally {
      // Another call with this id may wait on.
      if (withdrawal !== before && withdrawals.get(id) === withdrawal) withdrawals.delete(id)
    }
  }

  const withdraw = (id: string): void => {
    const withdrawal = withdrawals.get(id)
    if (!withdrawal)
      throw new AskError('NOT_FOUND', `No question with the id ${id} waits. Look for its answer`)
    withdrawal.abort()
  }

  const show = async ({ name, input, output, error }: ToolLine): Promise<void> => {
    const toolCallId = `${runId}-tool-${++tools}`
    await ui.toolInput({ toolCallId, toolName: name, input })
    await (error === undefined ? ui.toolOutput(toolCallId, output) : ui.toolError(toolCallId, error))
  }

  const follow = async (text: string): Promise<void> => {
    const line = parseProgramLine(text)
    if (line.type === 'text') return prose.line(line.text)
    if (line.type === 'say') return prose.paragraph(line.text)
    await prose.end()
    if (line.type === 'tool') return show(line)
    if (line.type === 'withdraw') return withdraw(line.id)
    asked.push(ask({ ...line, id: line.id ?? String(asked.length + 1) }))
  }

  return {
    async take(text) {
      if (signal.aborted) return
      try {
        await follow(text)
      } catch (error) {
        if (!(error instanceof AskError)) throw error
        const { type, id } = aimOf(text)
        const named = typeof id === 'string' ? id : undefined
        if (type === 'ask') asked.push(Promise.resolve())
        refuse(
          error,
          type === 'ask' ? (named ?? String(asked.length)) : type === 'withdraw' ? named : undefined,
        )
      }
    },
    async end() {
      await prose.end()
      await Promise.all(asked)
    },
  }
}

const answerLine = (id: string, outcome: Outcome): AnswerLine => ({
  type: 'answer',
  id,
  kind: outcome.kind,
  answers: outcome.answers,
  responses: outcome.responses,
  ...(outcome.secrets && { secrets: outcome.secrets }),
  ...(outcome.reason !== undefined && { reason: outcome.reason }),
  ...(outcome.asksBack && { asksBack: outcome.asksBack }),
  ...(outcome.held && { held: outcome.held }),
  text: describeOutcome(outcome),
})

const errorLine = (error: unknown, id: string | undefined): ErrorLine => ({
  type: 'error',
  ...(id !== undefined && { id }),
  code: (error as NodeJS.ErrnoException).code ?? 'UNKNOWN',
  message: (error as Error).message,
  faults: error instanceof AskError ? error.faults : [],
})

/** What a model would give the tool to ask the same. */
const inputOf = ({ questions, blocking }: QuestionRecord): object =>
  blocking === undefined ? { questions } : { questions, blocking }
