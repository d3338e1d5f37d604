import { render, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, it } from 'vitest'
import { type AnswerTransport, AskUserQuestion, type FormPartProps } from '../../src/index.ts'
import { partAsking } from '../question-card.tsx'
import { viewOf } from './form-fixture.tsx'

const PARTS = Array.from({ length: 3 }, (_, n) => ({
  ...partAsking({ id: 'q1', question: `Which one, ${n}?`, options: [{ label: 'A' }, { label: 'B' }] }),
  toolCallId: `call_${n}`,
}))

const transport: AnswerTransport = {
  send: async () => ({ revision: 1 }),
  subscribe(toolCallId, onView) {
    const part = PARTS.find((each) => each.toolCallId === toolCallId)
    if (part) onView(viewOf(part, {}))
    return () => {}
  },
}

let rendered: string[] = []
const Title = ({ form }: FormPartProps): ReactElement => {
  rendered.push(form.ask.toolCallId)
  return <>Asks</>
}
const COMPONENTS = { Title }

const page = (parts: typeof PARTS): ReactElement => (
  <>
    {parts.map((part) => (
      <AskUserQuestion key={part.toolCallId} part={part} transport={transport} components={COMPONENTS} />
    ))}
  </>
)

it('a chunk of a reply renders the form again whose part it changes, and no other', async () => {
  const { rerender, container } = render(page(PARTS))
  await waitFor(() => expect(container.querySelectorAll('.sa-fields:enabled')).toHaveLength(3))
  rendered = []
  rerender(page(structuredClone(PARTS)))
  expect(rendered).toEqual([])
  const [first, second, third] = structuredClone(PARTS) as [
    (typeof PARTS)[0],
    (typeof PARTS)[0],
    (typeof PARTS)[0],
  ]
  rerender(page([first, { ...second, state: 'output-error', errorText: 'It broke' }, third]))
  expect(new Set(rendered)).toEqual(new Set(['call_1']))
})

it('a part that a chat changes in place is shown as it is now', async () => {
  const part = { ...(PARTS[0] as (typeof PARTS)[0]) }
  const { rerender, container } = render(page([part]))
  await waitFor(() => expect(container.querySelectorAll('.sa-fields:enabled')).toHaveLength(1))
  rendered = []
  Object.assign(part, { state: 'output-error', errorText: 'It broke' })
  rerender(page([{ ...part }]))
  expect(rendered).toContain('call_0')
})
