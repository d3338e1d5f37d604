import { act, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { AskUserQuestion, type AskUserQuestionProps } from '../../src/index.ts'
import { FEATURES, LANGUAGE, partAsking } from '../question-card.tsx'
import { arrived, button, focused, NAME, option, press } from './form-fixture.tsx'

const transport = { send: async () => ({}) }

it('takes neither keys nor clicks in the moment it appears, preselects nothing, and leaves the focus alone', async () => {
  const send = vi.fn(async () => ({}))
  render(
    <>
      <input aria-label="Message" />
      <AskUserQuestion part={partAsking(LANGUAGE)} transport={{ send }} />
    </>,
  )
  const message = screen.getByLabelText('Message')
  message.focus()
  // Before any time has passed, however slow the machine is.
  option('Python').click()
  option('Python').focus()
  fireEvent.keyDown(focused() as Element, { key: '2' })
  expect(option('Python').checked).toBe(false)
  await arrived()
  expect(focused()).toBe(message)
  expect(send).not.toHaveBeenCalled()
  expect(screen.getAllByRole('radio').filter((radio) => (radio as HTMLInputElement).checked)).toEqual([])
  await userEvent.click(option('Python'))
  expect(send).toHaveBeenCalledOnce()
})

it('shows a question while it is being written, and takes no entries before it is whole', async () => {
  const part = { ...partAsking({ question: 'Which lang' }), state: 'input-streaming' }
  const { rerender } = render(<AskUserQuestion part={part} transport={transport} />)
  expect(screen.getByText('Which lang')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toContain('still writing')
  expect(screen.getByRole('textbox').matches(':disabled')).toBe(true)
  const whole = { ...part, state: 'input-available', input: { questions: [LANGUAGE] } }
  rerender(<AskUserQuestion part={whole} transport={transport} />)
  await arrived()
  expect(option('Python').matches(':disabled')).toBe(false)
})

it('is a named region that can be put out of the way, and no dialog', async () => {
  render(<AskUserQuestion part={partAsking(LANGUAGE)} transport={transport} />)
  const region = screen.getByRole('region', { name: /^The agent asks/ })
  expect(screen.queryByRole('dialog')).toBeNull()
  await press('Hide')
  expect(screen.queryByRole('radio')).toBeNull()
  expect(button('Show').getAttribute('aria-expanded')).toBe('false')
  expect(region.querySelector('[role=status]')?.textContent).toBe('The agent waits for you')
  await press('Show')
  expect(screen.getAllByRole('radio')).toHaveLength(2)
})

it('is another form for another call', async () => {
  const { rerender } = render(<AskUserQuestion part={partAsking(FEATURES, NAME)} transport={transport} />)
  await arrived()
  await press('Next')
  rerender(<AskUserQuestion part={partAsking(FEATURES, NAME)} transport={transport} />)
  await arrived()
  expect(screen.getByText('Question 1 of 2', { selector: '.sa-title *' })).toBeTruthy()
})

it.each([
  ['one question', [LANGUAGE]],
  ['several', [LANGUAGE, FEATURES, NAME]],
  ['previews', [{ ...LANGUAGE, options: [{ label: 'A', preview: '# A' }] }]],
])('renders %s on a server, and hydrates to the same without a warning', async (_, questions) => {
  const warnings = vi.spyOn(console, 'error')
  onTestFinished(() => warnings.mockRestore())
  const form = <AskUserQuestion part={partAsking(...questions)} transport={transport} />
  const container = document.body.appendChild(document.createElement('div'))
  onTestFinished(() => container.remove())
  container.innerHTML = await renderedOnServer(form.props)
  expect(container.textContent).toContain('Which language?')

  // React tells of everything that is not the same. The page itself changes soon: the form takes entries.
  const onRecoverableError = vi.fn()
  const root = await act(() => hydrateRoot(container, form, { onRecoverableError }))
  onTestFinished(() => act(() => root.unmount()))
  await arrived()
  expect(warnings).not.toHaveBeenCalled()
  expect(onRecoverableError).not.toHaveBeenCalled()
})

/** A server has no document, also when it loads the form. */
async function renderedOnServer(props: AskUserQuestionProps): Promise<string> {
  vi.stubGlobal('document', undefined)
  vi.resetModules()
  try {
    const { AskUserQuestion: FormOnServer } = await import('../../src/index.ts')
    return renderToString(<FormOnServer {...props} />)
  } finally {
    vi.unstubAllGlobals()
    vi.resetModules()
  }
}
