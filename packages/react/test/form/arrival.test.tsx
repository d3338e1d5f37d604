import type { Question } from '@sandagent/core'
import { createToolParts } from '@sandagent/testing'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { AskUserQuestion, ToolApproval } from '../../src/index.ts'
import { FEATURES, LANGUAGE, partAsking } from '../question-card.tsx'
import { arrived, button, type FormOptions, focused, NAME, option, press } from './form-fixture.tsx'

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

it.each<[string, Question[], Partial<FormOptions>]>([
  ['one question', [LANGUAGE], {}],
  ['several', [LANGUAGE, FEATURES, NAME], {}],
  ['previews', [{ ...LANGUAGE, options: [{ label: 'A', preview: '# A' }] }], {}],
  ['what loads on demand', [LANGUAGE], { notify: true, keys: 'page' }],
])('renders %s on a server, and hydrates to the same without a warning', async (_, questions, options) => {
  const form = <AskUserQuestion part={partAsking(...questions)} transport={transport} {...options} />
  const html = await renderedOnServer(({ AskUserQuestion }) => <AskUserQuestion {...form.props} />)
  expect(html).toContain('Which language?')
  await hydrate(form, html, arrived)
})

it('renders an approval on a server, and hydrates to the same without a warning', async () => {
  const call = createToolParts([], { toolName: 'Bash', input: { command: 'ls' } }).waiting()
  const part = { ...call, state: 'approval-requested', approval: { id: 'a1' } }
  const approval = <ToolApproval part={part} respond={() => {}} />
  const html = await renderedOnServer(({ ToolApproval }) => <ToolApproval {...approval.props} />)
  await hydrate(approval, html, async () => {
    await screen.findByRole('region', { name: /Bash/ })
    await waitFor(() => expect(button('Deny').matches(':disabled')).toBe(false))
  })
})

/** A server has no document, also when it loads the form. */
async function renderedOnServer(element: (on: typeof import('../../src/index.ts')) => ReactElement) {
  vi.stubGlobal('document', undefined)
  vi.resetModules()
  try {
    return renderToString(element(await import('../../src/index.ts')))
  } finally {
    vi.unstubAllGlobals()
    vi.resetModules()
  }
}

/** React tells of everything that is not the same. The page itself changes soon: it takes entries. */
async function hydrate(element: ReactElement, html: string, arrived: () => Promise<void>): Promise<void> {
  const warnings = vi.spyOn(console, 'error')
  const onRecoverableError = vi.fn()
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = html
  const root = await act(() => hydrateRoot(container, element, { onRecoverableError }))
  try {
    await arrived()
    expect(warnings).not.toHaveBeenCalled()
    expect(onRecoverableError).not.toHaveBeenCalled()
  } finally {
    act(() => root.unmount())
    container.remove()
    warnings.mockRestore()
  }
}
