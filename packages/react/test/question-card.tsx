import { questionCard } from '@sandagent/fixtures/question-card.tsx'
import type { ReactElement } from 'react'
import { type UseAskUserQuestionOptions, useAskUserQuestion } from '../src/index.ts'

export { FEATURES, LANGUAGE, LICENCE, partAsking } from '@sandagent/fixtures/question-card.tsx'

/** Shows a question. Its last pick sends at once unless a test says otherwise. */
export const QuestionCard: (options: UseAskUserQuestionOptions) => ReactElement = questionCard(
  (options: UseAskUserQuestionOptions) => useAskUserQuestion({ autoSubmit: 'immediately', ...options }),
)
