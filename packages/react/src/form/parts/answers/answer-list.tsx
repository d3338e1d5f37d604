import type { AskedQuestion } from '@sandagent/core'
import type { ReactElement, ReactNode } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { QuestionText } from '../question/question-text.tsx'
import { Answer } from './answer.tsx'

interface AnswerListProps extends FormPartProps {
  questions: AskedQuestion[]
  /** Shown beside each answer. */
  beside?: (question: AskedQuestion, index: number) => ReactNode
  /** Shown after the answers. */
  children?: ReactNode
}

/** Questions with their answers. */
export const AnswerList = ({ form, questions, beside, children }: AnswerListProps): ReactElement => (
  <dl className="sa-summary">
    {questions.map((question, index) => (
      <div key={question.id}>
        <dt dir="auto">
          <QuestionText form={form} question={question} />
        </dt>
        <dd>
          <Answer form={form} question={question} />
        </dd>
        {beside?.(question, index)}
      </div>
    ))}
    {children}
  </dl>
)
