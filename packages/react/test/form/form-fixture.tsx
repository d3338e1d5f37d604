import type { Question, QuestionView, ToolPart } from '@sandagent/core'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect } from 'vitest'
import { type AskedCall, AskUserQuestion, type AskUserQuestionProps } from '../../src/index.ts'
import { type AnswerServer, startAnswerServer } from '../answer-server.ts'
import { partAsking } from '../question-card.tsx'

export const NAME: Question = { id: 'name', header: 'Name', question: 'Which name?' }

/** All properties of the form but the call. */
export type FormOptions = Omit<AskUserQuestionProps, keyof AskedCall>

/** A form on a page, and the host that it talks to. */
export interface OpenForm {
  part: ToolPart
  /** The same form with other properties. */
  rerender(props: Partial<FormOptions>): void
  /** Sends a view of the question to the page, once the page follows it. */
  show(view: Partial<QuestionView>): Promise<void>
}

let server: AnswerServer

/** Gives each test of a file a host of its own. */
export function serverForEach(): void {
  beforeEach(async () => {
    server = await startAnswerServer()
  })
  afterEach(() => server.close())
}

/** Shows a form for the questions, and waits until it takes entries. The last pick sends at once by default. */
export async function openForm(questions: Question[], props: Partial<FormOptions> = {}): Promise<OpenForm> {
  const part = partAsking(...questions)
  const form = (more: Partial<FormOptions>) => (
    <AskUserQuestion part={part} answerEndpoint={server.url} autoSubmit="immediately" {...props} {...more} />
  )
  const { rerender } = render(form({}))
  await arrived()
  return {
    part,
    rerender: (more) => rerender(form(more)),
    async show(view) {
      await waitFor(() => expect(server.streams).toBeGreaterThan(0))
      server.show(viewOf(part, view))
    },
  }
}

export const viewOf = (part: ToolPart, view: Partial<QuestionView>): QuestionView => ({
  toolCallId: part.toolCallId,
  kind: 'question',
  state: 'open',
  questions: (part.input as { questions: Question[] }).questions.map((question, index) => ({
    ...question,
    id: question.id ?? `q${index + 1}`,
  })),
  responses: {},
  revision: 0,
  declined: false,
  deadline: null,
  remainingMs: null,
  ...view,
})

/** Resolves once the form takes entries. */
export const arrived = (): Promise<void> =>
  waitFor(() => expect(screen.getByRole('button', { name: 'Decline' }).matches(':disabled')).toBe(false))

export const button = (name: string): HTMLElement => screen.getByRole('button', { name })
export const press = (name: string): Promise<void> => userEvent.click(button(name))
export const option = (name: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name)
export const textbox = (name: string): HTMLTextAreaElement =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name })
export const keys = async (text: string): Promise<void> => {
  await userEvent.keyboard(text)
}
export const focused = (): Element | null => document.activeElement
export const status = (text: string): Promise<void> =>
  waitFor(() => expect(screen.getByRole('status').textContent).toContain(text))
export const alert = (): string => screen.getByRole('alert').textContent ?? ''

export const host = (): AnswerServer => server
export const posts = (): AnswerServer['posts'] => server.posts

type Body = AnswerServer['posts'][number]['body']

const succeeded = new WeakSet<object>()

/** Lets the first posts succeed, this many of them, as they come; resolves to what they held. */
export async function stored(count: number): Promise<Body[]> {
  for (let index = 0; index < count; index++) {
    const post = await waitFor(() => {
      expect(server.posts.length).toBeGreaterThan(index)
      return server.posts[index]
    })
    if (!post || succeeded.has(post)) continue
    succeeded.add(post)
    post.succeed()
  }
  return server.posts.map(({ body }) => body)
}

/** Lets posts succeed until one of them is the answer. */
export async function completed(): Promise<Body> {
  for (let count = 1; ; count++) {
    const last = (await stored(count))[count - 1]
    if (last?.status === 'completed') return last
  }
}
