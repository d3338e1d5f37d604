import { AskError, printableLine } from '@sandagent/core/internal'
import type { CliIo } from '../../io.ts'
import { inboxOf } from '../places/inbox-of.ts'
import { readAnswerArgs } from '../questions/answer-args.ts'
import { beginsWith } from '../questions/choose-question.ts'

/**
 * What `sandagent answer` can take in the place of the last word: the ids of the questions that wait, and behind `--option` the
 * labels of the question that is named, or of all.
 */
export async function waitingWords(
  given: readonly string[],
  { stderr }: Pick<CliIo, 'stderr'>,
): Promise<string[]> {
  const [typed = '', last, ...earlier] = [...given].reverse()
  const isLabel = last === '--option'
  const before = [...(last === undefined || isLabel ? [] : [last]), ...earlier].reverse()
  try {
    const { id, choice } = readAnswerArgs(before)
    if (id !== undefined && !isLabel) return []
    const { questions } = await inboxOf(choice, { stderr }).inbox.list()
    const meant = questions
      .map(({ question }) => question)
      .filter((question) => beginsWith(question.toolCallId, id ?? ''))
    const words = isLabel
      ? meant.flatMap(({ questions }) =>
          questions.flatMap(({ options = [] }) => options.map(({ label }) => label)),
        )
      : meant.map(({ toolCallId }) => toolCallId)
    // A word with control characters is none that a person types.
    return [...new Set(words)].filter((word) => word.startsWith(typed) && word === printableLine(word))
  } catch (error) {
    if (error instanceof AskError) return [] // A line that is not whole yet has faults.
    throw error
  }
}
