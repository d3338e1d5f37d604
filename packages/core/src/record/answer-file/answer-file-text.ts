import { storedFormOf } from '../../compat/stored-form.ts'
import { describeOutcome } from '../outcome/outcome-text.ts'
import type { AnswerFile } from './answer-file.ts'

/** The text of an answer file, see `parseAnswerFile`. */
export const answerFileText = (answerFile: AnswerFile): string =>
  JSON.stringify(
    storedFormOf(answerFile, () =>
      describeOutcome({
        kind: 'declined',
        questions: [],
        responses: {},
        unanswered: [],
        ...reasonIn(answerFile),
      }),
    ),
    null,
    2,
  )

const reasonIn = ({ reason }: AnswerFile): Pick<AnswerFile, 'reason'> =>
  reason === undefined ? {} : { reason }
