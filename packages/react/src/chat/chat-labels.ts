/** The texts of `<WaitingBanner>` and `<QuestionList>`. */
export interface ChatLabels {
  /** The button that leads to the first of `count` waiting questions out of sight. */
  waits(count: number): string
  /** The name of the list. */
  questions: string
  search: string
  /** How many questions the list shows, of how many. */
  found(found: number, total: number): string
  /** How a question stands. */
  open: string
  answered: string
  declined: string
  ended: string
}

export const englishChatLabels: ChatLabels = {
  waits: (count) =>
    count === 1 ? 'The agent waits for your answer' : `The agent waits for ${count} answers of yours`,
  questions: 'Questions',
  search: 'Search questions',
  found: (found, total) =>
    found === total ? `${total} ${total === 1 ? 'question' : 'questions'}` : `${found} of ${total} questions`,
  open: 'Waits for you',
  answered: 'Answered',
  declined: 'Declined',
  ended: 'Ended without an answer',
}
