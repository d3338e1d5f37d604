import type { QuestionView, Responses } from '@sandagent/core'
import { createToolParts } from '@sandagent/testing'
import { cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  AskUserQuestion,
  QuestionList,
  type ToolPart,
  useComposerAnswer,
  useListedQuestions,
  useWaitingQuestions,
  WaitingBanner,
} from '../../src/index.ts'
import {
  completed,
  host,
  NAME,
  openForm,
  option,
  serverForEach,
  status,
  stored,
  textbox,
} from '../form/form-fixture.tsx'
import { FEATURES, LANGUAGE, LICENCE, partAsking } from '../question-card.tsx'

serverForEach()
beforeEach(() => {
  // jsdom does not lay out.
  Element.prototype.scrollIntoView = vi.fn()
})

/** A composer, as an app would write one. */
function Composer(): ReactElement {
  const offer = useComposerAnswer()
  return (
    <>
      {offer && (
        <button type="button" onClick={() => offer.answerWith('Mine')}>
          Answer “{offer.question}”
        </button>
      )}
      <p>{useWaitingQuestions().length} wait</p>
    </>
  )
}

const offer = () => screen.queryByRole('button', { name: /^Answer “/ })?.textContent

describe('useComposerAnswer', () => {
  it('offers to answer the first question without an answer that takes a typed one', async () => {
    render(<Composer />)
    expect(offer()).toBeUndefined()
    await openForm([{ ...LANGUAGE, allowFreeText: false }, FEATURES, NAME])
    expect(offer()).toBe(`Answer “${FEATURES.question}”`)
    await userEvent.click(screen.getByRole('button', { name: /^Answer “/ }))
    // It went on to the next question, and sent no answer.
    expect(textbox(NAME.question)).toBeDefined()
    expect(offer()).toBe(`Answer “${NAME.question}”`)
    expect((await stored(1))[0]).toMatchObject({
      status: 'pending',
      responses: { q2: { freeText: 'Mine' } },
    })
  })

  it('sends the only question of a call', async () => {
    render(<Composer />)
    await openForm([LANGUAGE])
    await userEvent.click(screen.getByRole('button', { name: /^Answer “/ }))
    expect(await completed()).toMatchObject({ responses: { q1: { freeText: 'Mine', selected: [] } } })
    await waitFor(() => expect(offer()).toBeUndefined())
  })

  it('offers nothing for questions that take no typed answer', async () => {
    render(<Composer />)
    await openForm([{ ...LANGUAGE, allowFreeText: false }])
    expect(offer()).toBeUndefined()
    expect(screen.getByText('1 wait')).toBeDefined()
  })
})

describe('the waiting questions of a page', () => {
  it('are counted while they wait, in the order of the page', async () => {
    render(<Composer />)
    expect(screen.getByText('0 wait')).toBeDefined()
    const { part, show } = await openForm([LANGUAGE])
    render(
      <AskUserQuestion part={over(partAsking(LICENCE), { toolCallId: 'b' })} answerEndpoint={host().url} />,
    )
    await waitFor(() => expect(screen.getByText('2 wait')).toBeDefined())
    await waitFor(() => expect(host().followed).toEqual([[part.toolCallId, 'b']]))
    await show({ state: 'answered' })
    await waitFor(() => expect(screen.getByText('1 wait')).toBeDefined())
  })

  it('have a banner only where some are out of sight', () => {
    expect(render(<WaitingBanner />).container.innerHTML).toBe('')
    expect(renderToString(<WaitingBanner />)).toBe('')
  })
})

const over = (part: ToolPart, more: Partial<ToolPart>): ToolPart => ({ ...part, ...more })
const messages = [
  { parts: [{ type: 'text' }, { type: 'dynamic-tool', toolName: 'Bash' }] },
  {
    parts: [
      createToolParts([LANGUAGE], { toolCallId: 'a' }).answered({ [LANGUAGE.question]: 'Python' }),
      createToolParts([FEATURES], { toolCallId: 'b' }).denied(),
      createToolParts([NAME], { toolCallId: 'c' }).failed('The run ended'),
    ],
  },
  { parts: [over(partAsking(LICENCE), { toolCallId: 'd' })] },
]

describe('useListedQuestions', () => {
  it('finds the questions of a chat, how they stand, and their answers', () => {
    const { result } = renderHook(() => useListedQuestions(messages))
    expect(result.current.map(({ toolCallId, state, answers }) => [toolCallId, state, answers])).toEqual([
      ['a', 'answered', ['Python']],
      ['b', 'declined', []],
      ['c', 'ended', []],
      ['d', 'open', []],
    ])
  })
})

describe('how a question stands, before its message says so', () => {
  const python: Responses = { q1: { selected: ['Python'], source: 'human' } }
  const list = async () => {
    const { part, show } = await openForm([LANGUAGE])
    render(<QuestionList messages={[{ parts: [part] }]} />)
    const says = (text: string) =>
      waitFor(() => expect(screen.getByRole('list').textContent).toBe(`${LANGUAGE.question}${text}`))
    await says('Waits for you')
    return { part, show, says }
  }

  it('follows an answer that this page sent', async () => {
    const { part, says } = await list()
    await userEvent.click(option('Python'))
    await says('Waits for you')
    await completed()
    await says('Answered: Python')
    cleanup()
    // No form follows the question any more.
    render(<QuestionList messages={[{ parts: [part] }]} />)
    expect(screen.getByRole('list').textContent).toContain('Waits for you')
  })

  it.each<[string, Partial<QuestionView>, string]>([
    ['an answer of somebody else', { state: 'sent', byOther: true, responses: python }, 'Answered: Python'],
    ['that somebody else declined', { state: 'sent', byOther: true, declined: true }, 'Declined'],
    ['that the agent has the answer', { state: 'answered', responses: python }, 'Answered: Python'],
    ['that the agent withdrew it', { state: 'aborted' }, 'Ended without an answer'],
  ])('follows %s', async (_, view, text) => {
    const { show, says } = await list()
    await show({ revision: 2, ...view })
    await says(text)
  })
})

describe('<QuestionList>', () => {
  const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent)

  it('searches questions and answers, and says how many it found', async () => {
    render(<QuestionList messages={messages} />)
    expect(screen.getByText('4 questions')).toBeDefined()
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search questions' }), ' PYTH')
    expect(screen.getByText('1 of 4 questions').getAttribute('aria-live')).toBe('polite')
    expect(names()).toEqual([`${LANGUAGE.question}Answered: Python`])
  })

  it('leads to a waiting question, and moves the focus there', async () => {
    const { part } = await openForm([NAME])
    const onOpen = vi.fn()
    render(<QuestionList messages={[{ parts: [part] }]} onOpen={onOpen} />)
    await userEvent.click(screen.getByRole('button', { name: /Waits for you/ }))
    expect(onOpen).toHaveBeenCalledWith(part.toolCallId)
    await waitFor(() => expect(document.activeElement).toBe(textbox(NAME.question)))
  })

  it('leads to a past question', async () => {
    const { part, show } = await openForm([LANGUAGE])
    await show({ state: 'answered', responses: { q1: { selected: ['Python'], source: 'human' } } })
    await status('Received by the agent')
    render(<QuestionList messages={[{ parts: [over(part, { state: 'output-denied' })] }]} />)
    await userEvent.click(screen.getByRole('button', { name: /Declined/ }))
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('data-tool-call-id')).toBe(part.toolCallId),
    )
  })
})
