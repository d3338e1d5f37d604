// The same as `@sandagent/react`, for pages that install only this package. The hook is the one of the SandAgent document.

import {
  type UseAskUserQuestionOptions,
  type UseAskUserQuestionReturn,
  useAskUserQuestion as useAnyQuestion,
} from '@sandagent/react'

export * from '@sandagent/react'

/**
 * The hook of the SandAgent document: clicks alone complete a call. When every question that needs an answer has one, the
 * answer is sent after a pause without a click (`undoMs`), or by `submit`. `autoSubmit` changes that.
 */
export const useAskUserQuestion = (options: UseAskUserQuestionOptions): UseAskUserQuestionReturn =>
  useAnyQuestion({ ...options, autoSubmit: options.autoSubmit ?? 'when-complete' })
