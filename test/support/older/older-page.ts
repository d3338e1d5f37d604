import type { AnswerTexts, Question } from '@sandagent/core'

/** A page that is made with the hook of the SandAgent document, as far as a person's clicks go. */
export interface OlderPage {
  /** What a click on an option does: it sends the whole set of answers, complete or not, and waits for no reply. */
  selectAnswer(question: string, value: string, multiSelect?: boolean): void
  isSelected(question: string, label: string, multiSelect?: boolean): boolean
  /** What the page shows, by question text. */
  getAnswersMap(): AnswerTexts
  /** Resolves once all that was sent has its reply. */
  replies(): Promise<Response[]>
}

/**
 * Written from the SandAgent document: local choices alone count, a multiple choice is the list of its labels in the
 * order of the clicks, joined by commas, and no request carries a status.
 */
export function createOlderPage(
  { toolCallId, questions }: { toolCallId: string; questions: readonly Question[] },
  send: (body: string) => Promise<Response>,
): OlderPage {
  const picks = new Map<string, readonly string[]>()
  const sent: Promise<Response>[] = []
  const picked = (question: string): readonly string[] => picks.get(question) ?? []
  const getAnswersMap = (): AnswerTexts =>
    Object.fromEntries(questions.map(({ question }) => [question, picked(question).join(', ')]))
  return {
    getAnswersMap,
    isSelected: (question, label) => picked(question).includes(label),
    selectAnswer(question, value, multiSelect = false) {
      const before = picked(question)
      const toggled = before.includes(value) ? before.filter((each) => each !== value) : [...before, value]
      picks.set(question, multiSelect ? toggled : [value])
      sent.push(send(JSON.stringify({ toolCallId, questions, answers: getAnswersMap() })))
    },
    replies: () => Promise.all(sent),
  }
}
