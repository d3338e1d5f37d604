import { fileNameOf, isFileFault, isSettled, type QuestionRecord, warningOf } from '@sandagent/core/internal'
import type { Candidates, FoundAnswer } from '@sandagent/core/store'
import type { SandboxFiles } from '../../disk/sandbox-files.ts'
import { answersTo, finalClaimNames } from './answers-to.ts'

/** A question whose answer is looked for. A process that did not ask it does not know its record. */
export interface LookedFor {
  toolCallId: string
  record: QuestionRecord | null
}

/** The names of the files that end a question, or show what counts. */
export function answerFileNames({ toolCallId, record }: LookedFor): string[] {
  const fileName = fileNameOf(toolCallId)
  const [first, second] = finalClaimNames(fileName, record)
  // A spread leaves room for many more, and thousands of questions may wait.
  return [first, second, fileName]
}

/** Looks for the answer to a question as its runner. */
export async function findAnswer(
  files: SandboxFiles,
  folder: string,
  { toolCallId, record }: LookedFor,
  accept: NonNullable<Candidates['accept']>,
): Promise<FoundAnswer> {
  const found: FoundAnswer = { answerFile: null, isUnknown: false }
  const answers = answersTo(
    files,
    folder,
    { fileName: fileNameOf(toolCallId), toolCallId },
    {
      record,
      accept,
      mayPublish: false,
      onFault(error) {
        found.warning = warningOf(error, toolCallId)
        found.isUnknown ||= !isFileFault(error)
      },
    },
  )

  /** The answer that the receipt names. One that came too late may have taken its place. */
  const named = async () => {
    if (!record || !isSettled(record) || record.revision === undefined) return null
    const taken = await answers.revision(record.revision)
    return taken?.answerFile.revision === record.revision ? taken : null
  }

  const { first } = await answers.finalClaim()
  const counting = first ?? (await named()) ?? (await answers.latest(await answers.shown()))
  found.answerFile = counting?.answerFile ?? null
  return found
}
