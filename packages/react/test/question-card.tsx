import { questionCard } from '@sandagent/fixtures/question-card.tsx'
import type { ReactElement } from 'react'
import { type UseAskUserQuestionOptions, useAskUserQuestion } from '../src/index.ts'

export { FEATURES, LANGUAGE, LICENCE, partAsking } from '@sandagent/fixtures/question-card.tsx'

export const QuestionCard: (options: UseAskUserQuestionOptions) => ReactElement =
  questionCard(useAskUserQuestion)
