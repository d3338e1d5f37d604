import { visible } from '@sandagent/core/internal'
import { type ReactElement, useState } from 'react'
import { type Overrides, override } from '../form/state/override.ts'
import { getWaitingQuestions } from '../page/waiting-questions.ts'
import { type ChatLabels, englishChatLabels } from './chat-labels.ts'
import { type ChatMessage, type ListedQuestion, useListedQuestions } from './use-listed-questions.ts'

export interface QuestionListProps {
  /** The messages of the chat, as `useChat` returns them. */
  messages: readonly ChatMessage[]
  /** Called when a person chooses a question, before the page scrolls to it. */
  onOpen?: ((toolCallId: string) => void) | undefined
  /** Texts in the place of the English ones. */
  labels?: Overrides<ChatLabels> | undefined
  className?: string | undefined
}

/**
 * The questions of a chat, open and past, with a search field. A click leads to the question. Approvals are listed while
 * they wait. How a question stands is said by its message, and before that by its form.
 */
export function QuestionList({
  messages,
  onOpen,
  className = '',
  ...props
}: QuestionListProps): ReactElement {
  const labels = override(englishChatLabels, props.labels)
  const [search, setSearch] = useState('')
  const all = useListedQuestions(messages)
  const found = all.filter((question) => matches(question, search))
  const open = (toolCallId: string): void => {
    onOpen?.(toolCallId)
    // The page may first have to show the chat again.
    requestAnimationFrame(() => leadTo(toolCallId))
  }
  return (
    <section className={`sa-list not-prose ${className}`} aria-label={labels.questions}>
      <input
        type="search"
        className="sa-search"
        aria-label={labels.search}
        placeholder={labels.search}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <p className="sa-found" aria-live="polite">
        {labels.found(found.length, all.length)}
      </p>
      <ul>
        {found.map(({ toolCallId, questions, answers, state }) => (
          <li key={toolCallId}>
            <button type="button" data-state={state} onClick={() => open(toolCallId)}>
              <bdi>{visible(questions.join(' '))}</bdi>
              <small>
                {labels[state]}
                {answers.length > 0 && (
                  <>
                    : <bdi>{visible(answers.join(', '))}</bdi>
                  </>
                )}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const matches = ({ questions, answers }: ListedQuestion, search: string): boolean =>
  [...questions, ...answers].join('\n').toLocaleLowerCase().includes(search.trim().toLocaleLowerCase())

/** Leads to the form or the summary of a call, and moves the focus there. */
function leadTo(toolCallId: string): void {
  const waiting = getWaitingQuestions().find((question) => question.toolCallId === toolCallId)
  waiting?.show()
  if (waiting) return
  const shown = [...document.querySelectorAll<HTMLElement>('[data-tool-call-id]')]
  const element = shown.find(({ dataset }) => dataset.toolCallId === toolCallId)
  if (!element) return
  element.scrollIntoView({ block: 'start' })
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
