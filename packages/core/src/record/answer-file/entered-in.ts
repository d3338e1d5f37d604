import { submittedResponses } from '../../answer/draft.ts'
import { byQuestion, isAnswer, type Responses, responseTo } from '../../answer/response.ts'
import { validateResponses } from '../../answer/validate-responses.ts'
import type { QuestionRecord } from '../question-record.ts'
import { type AnswerFile, responsesOf } from './answer-file.ts'

/**
 * What the agent gets of a draft when the time runs out: each answer of a person that could have been sent. What does not fit
 * yet is no answer.
 */
export function enteredIn({ questions }: Pick<QuestionRecord, 'questions'>, draft: AnswerFile): Responses {
  const entered = submittedResponses(questions, responsesOf(draft, questions))
  return byQuestion(questions, (question) => {
    const response = responseTo(entered, question)
    if (!isAnswer(response) || response.source !== 'human') return undefined
    const faults = validateResponses([question], { [question.id]: response }, { final: true })
    return faults.length === 0 ? response : undefined
  })
}
