import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { AskUserQuestion, type QuestionView, useComposerAnswer } from '../../src/index.ts'
import { LICENCE, partAsking } from '../question-card.tsx'
import {
  arrived,
  completed,
  host,
  type OpenForm,
  openForm,
  option,
  posts,
  press,
  serverForEach,
  stored,
  viewOf,
} from './form-fixture.tsx'

serverForEach()

const SHOT = { id: 'shot', question: 'What do you see?', files: {} }
const TAKES: Partial<QuestionView> = { takesFiles: true }
const STORED = { mediaType: 'text/plain', size: 5, sha256: 'a'.repeat(64) }

/** A composer of the page, which answers by a text. */
function Composer() {
  const offer = useComposerAnswer()
  return (
    <button type="button" onClick={() => offer?.answerWith('A dog')}>
      Answer from here
    </button>
  )
}

/** A `fetch` that holds files back until the test lets them through. */
function heldUploads() {
  let letThrough = (): void => {}
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  onTestFinished(letThrough)
  const through: typeof fetch = async (url, init) => {
    if (!(init?.body instanceof Blob)) return fetch(url, init)
    await held
    return Response.json({ success: true, file: STORED })
  }
  return { fetch: through, letThrough: () => letThrough() }
}

/** Chooses a file once the form takes some. */
async function choose(form: Pick<OpenForm, 'show'>): Promise<void> {
  await form.show(TAKES)
  await screen.findByRole('button', { name: 'Add files' })
  const input = document.querySelector('input[type=file]:not([capture])') as HTMLInputElement
  fireEvent.change(input, { target: { files: [new File(['a dog'], 'dog.txt', { type: 'text/plain' })] } })
  await screen.findByRole('progressbar')
}
const isFinal = (): boolean => posts().some(({ body }) => body.status === 'completed')
const DOG = { ...STORED, name: 'dog.txt' }

it('a text from elsewhere waits for a file on its way', async () => {
  const uploads = heldUploads()
  await choose(await openForm([SHOT], { fetch: uploads.fetch }))
  render(<Composer />)
  await press('Answer from here')
  await stored(1)
  uploads.letThrough()
  await screen.findByRole('button', { name: 'Remove dog.txt' })
  expect(isFinal()).toBe(false)
  await press('Send answer')
  expect((await completed()).responses).toMatchObject({ shot: { freeText: 'A dog', files: [DOG] } })
})

it('a pick that would send at once waits for the button where files can be given', async () => {
  const uploads = heldUploads()
  await choose(await openForm([{ ...LICENCE, id: 'shot', files: {} }], { fetch: uploads.fetch }))
  const [first] = LICENCE.options ?? []
  fireEvent.click(option(`${first?.label}`), { detail: 1 })
  await stored(1)
  uploads.letThrough()
  await screen.findByRole('button', { name: 'Remove dog.txt' })
  expect(isFinal()).toBe(false)
  await press('Send answer')
  expect((await completed()).responses).toMatchObject({
    shot: { selected: [first?.value ?? first?.label], files: [DOG] },
  })
})

it('a file arrives while its form is closed, and is in the form that opens again', async () => {
  const uploads = heldUploads()
  const form = await openForm([SHOT], { fetch: uploads.fetch })
  await choose(form)
  cleanup()
  const warns = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(warns()).toBe(true)
  uploads.letThrough()
  await waitFor(() => expect(warns()).toBe(false))
  // A page that is left now says so when it is opened again.
  window.dispatchEvent(new Event('pagehide'))
  expect(Object.values(sessionStorage).join()).toContain('dog.txt')
  render(<AskUserQuestion part={form.part} answerEndpoint={host().url} fetch={uploads.fetch} />)
  await arrived()
  await waitFor(() => expect(host().streams).toBe(1))
  host().show(viewOf(form.part, TAKES))
  await screen.findByRole('button', { name: 'Remove dog.txt' })
  await press('Send answer')
  expect((await completed()).responses).toMatchObject({ shot: { files: [DOG] } })
})

it('a form with a transport takes files only where the page says where they go', async () => {
  const transport = {
    send: async () => ({}),
    subscribe: (_: string, onView: (view: QuestionView) => void) => {
      onView(viewOf(part, TAKES))
      return () => {}
    },
  }
  const part = partAsking(SHOT)
  const { rerender } = render(<AskUserQuestion part={part} transport={transport} />)
  await screen.findByText(/Files cannot be given here/)
  rerender(<AskUserQuestion part={part} transport={transport} answerEndpoint={host().url} />)
  await screen.findByRole('button', { name: 'Add files' })
})

it('a file that was given before is there once, and is not said to be added', async () => {
  const uploads = heldUploads()
  uploads.letThrough()
  const form = await openForm([SHOT], { fetch: uploads.fetch })
  const input = (): Element => document.querySelector('input[type=file]:not([capture])') as Element
  const choose = (): boolean =>
    fireEvent.change(input(), { target: { files: [new File(['a dog'], 'dog.txt', { type: 'text/plain' })] } })
  await form.show(TAKES)
  await screen.findByRole('button', { name: 'Add files' })
  choose()
  await screen.findByText('dog.txt was added')
  choose()
  await screen.findByText('dog.txt is there already')
  expect(screen.getAllByRole('button', { name: 'Remove dog.txt' })).toHaveLength(1)
  await press('Send answer')
  expect((await completed()).responses).toMatchObject({ shot: { files: [DOG] } })
})

it('a question for one file asks for one, and says what it takes and who reads it', async () => {
  const form = await openForm([{ ...SHOT, files: { max: 1, maxBytes: 70, types: ['text/plain'] } }])
  await form.show(TAKES)
  await screen.findByRole('button', { name: 'Add a file' })
  screen.getByText(
    /^One file · TXT · \u20680\.07\skB\u2069 at most\. The agent can read a file as soon as it is added/,
  )
})

it('a file that was not taken is there once, however often it is given', async () => {
  const form = await openForm([{ ...SHOT, files: { maxBytes: 4 } }])
  await form.show(TAKES)
  await screen.findByRole('button', { name: 'Add files' })
  const input = document.querySelector('input[type=file]:not([capture])') as Element
  for (let times = 0; times < 2; times++)
    fireEvent.change(input, { target: { files: [new File(['a dog'], 'dog.txt')] } })
  await screen.findByText(/^Not added: larger than/)
  expect(screen.getAllByRole('button', { name: 'Dismiss dog.txt' })).toHaveLength(1)
})
