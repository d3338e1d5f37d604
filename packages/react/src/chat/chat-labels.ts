/** The texts of `<WaitingBanner>` and `<QuestionList>`, in English. */
export const englishChatLabels = {
  /** The button that leads to the first of `count` waiting questions out of sight. */
  waits: (count: number): string =>
    count === 1 ? 'The agent waits for your answer' : `The agent waits for ${count} answers of yours`,
  /** The name of the list. */
  questions: 'Questions',
  search: 'Search questions',
  /** How many questions the list shows, of how many. */
  found: (found: number, total: number): string =>
    found === total ? `${total} ${total === 1 ? 'question' : 'questions'}` : `${found} of ${total} questions`,
  /** How a question stands. */
  open: 'Waits for you',
  answered: 'Answered',
  declined: 'Declined',
  ended: 'Ended without an answer',
}

export type ChatLabels = typeof englishChatLabels
