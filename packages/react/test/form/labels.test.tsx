import {
  type AnswerTransport,
  AskError,
  type Question,
  type QuestionView,
  type ToolPart,
} from '@sandagent/core'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { Title } from '../../src/form/parts/title.tsx'
import {
  type AskForm,
  AskUserQuestion,
  englishApprovalLabels,
  englishEditLabels,
  englishLabels,
  type FormPartProps,
  ToolApproval,
} from '../../src/index.ts'
import { partAsking } from '../question-card.tsx'
import { viewOf } from './form-fixture.tsx'

let keys = 0
/** The same labels in a language without letters. */
const wordless = <Labels extends object>(labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, inSigns(label)])) as Labels
const inSigns = (label: unknown): unknown =>
  typeof label === 'function' ? () => '§' : Array.isArray(label) ? [`§${++keys}`, '§'] : inSignsOf(label)
const inSignsOf = (label: unknown): unknown => (typeof label === 'string' ? '§' : wordless(label as object))

const options = Array.from({ length: 11 }, (_, n) => ({ label: `${n}`, description: '¤', preview: '¤' }))
const PICK: Question = { id: '1', question: '1?', header: '¤', options }
const PICK_MANY: Question = { id: '2', question: '2?', options, multiSelect: true, required: false }
const TYPE: Question = { id: '3', question: '3?' }

const PICKED = { 1: { selected: ['2'], source: 'human' as const }, 2: { skipped: true as const } }
const WHO = { answeredBy: '¤', answeredAt: '2026-03-01T14:05:00Z' }
const fail = (code: 'UNREACHABLE' | 'UNAUTHENTICATED') => () => Promise.reject(new AskError(code, '¤'))

interface Case {
  view?: Partial<QuestionView>
  send?: AnswerTransport['send']
  part?: Partial<ToolPart>
  questions?: Question[]
  layout?: 'all'
  act?: (form: AskForm) => void
  /** The status that it ends in. */
  status?: string
}

const CASES: Record<string, Case> = {
  'while it is written': { part: { state: 'input-streaming' }, status: 'streaming' },
  'of one single choice': { questions: [PICK] },
  'of one multiple choice': { questions: [PICK_MANY] },
  'of several': {},
  'of all at once': { layout: 'all', act: ({ ask }) => ask.submit() },
  'with a deadline': { view: { deadline: WHO.answeredAt, remainingMs: 9e6 } },
  'in the last minute': { view: { deadline: WHO.answeredAt, remainingMs: 5e4 } },
  'when the time is up': { view: { deadline: WHO.answeredAt, remainingMs: 0 } },
  'with all that can be entered': {
    act: ({ ask }) => {
      ask.setFreeText('1', '¤')
      ask.selectAnswer('1', '2', false, { autoSubmit: false })
      ask.setNotes('1', '¤')
      ask.skip('2')
    },
  },
  'of the review': { act: (form) => form.goTo(3) },
  'while it declines': { act: (form) => form.setDeclining(true) },
  'while it saves': { send: () => new Promise(() => {}), act: ({ ask }) => ask.skip('1'), status: 'saving' },
  'of what is not saved': { send: fail('UNREACHABLE'), act: ({ ask }) => ask.skip('1'), status: 'failed' },
  'while it counts down': { questions: [PICK], act: ({ ask }) => ask.selectAnswer('1', '2') },
  'of what is not sent': { send: fail('UNREACHABLE'), act: ({ ask }) => ask.decline(), status: 'retrying' },
  'while the host wants to be left alone': {
    send: () => Promise.reject(new AskError('RATE_LIMITED', '¤', { facts: { retryAfterMs: 9e6 } })),
    act: ({ ask }) => ask.decline(),
    status: 'retrying',
  },
  'for those who have to sign in': {
    send: fail('UNAUTHENTICATED'),
    act: ({ ask }) => ask.decline(),
    status: 'retrying',
  },
  'for a run that ended': { view: { runEnded: true } },
  'after it was sent': { view: { state: 'sent', responses: PICKED, ...WHO }, status: 'sent' },
  'after it was sent to a run that ended': { view: { state: 'sent', runEnded: true }, status: 'sent' },
  'after declining': { view: { state: 'sent', declined: true, reason: '¤' }, status: 'sent' },
  'once it is received': { view: { state: 'answered', responses: PICKED, ...WHO }, status: 'received' },
  'once a draft was taken': { view: { state: 'partial', responses: PICKED }, status: 'received' },
  'once it is declined': { view: { state: 'declined' }, status: 'declined' },
  'when the time ran out': {
    view: { state: 'timed-out', responses: { 1: { selected: ['1'], source: 'default' } } },
    status: 'expired',
  },
  'when it was withdrawn': { view: { state: 'aborted' }, status: 'expired' },
  'when it ended': { part: { state: 'output-error', errorText: '¤' }, status: 'expired' },
  'where somebody else was first': {
    send: () => Promise.reject(new AskError('CONFLICT', '¤')),
    act({ ask }) {
      ask.setFreeText('3', '¤')
      ask.submit({ partial: true })
    },
    status: 'superseded',
  },
}

/** What a person reads or hears. */
const textsOf = (place: Element): string[] =>
  [...place.querySelectorAll('*')].flatMap((element) => [
    ...['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes].map((node) =>
      node.nodeType === node.TEXT_NODE ? (node.nodeValue ?? '') : '',
    ),
  ])

/** Whether the host of the test at hand has shown its question. */
let isShown = false
beforeEach(() => {
  isShown = false
})

const transportOf = (part: ToolPart, { view = {}, send }: Case): AnswerTransport => ({
  send: send ?? (async () => ({})),
  subscribe(_, onView) {
    onView(viewOf(part, view))
    isShown = true
    return () => {}
  },
})

let latest: AskForm | undefined
/** A title that tells the test of the form around it. */
function TellingTitle({ form }: FormPartProps): ReactElement {
  latest = form
  return <Title form={form} />
}

describe('every text of the form can be another', () => {
  it.each(Object.entries(CASES))('%s', async (_, given) => {
    const { questions = [PICK, PICK_MANY, TYPE], layout = 'steps', status = 'waiting' } = given
    const part = { ...partAsking(...questions), ...given.part }
    const { container } = render(
      <AskUserQuestion
        part={part}
        transport={transportOf(part, given)}
        layout={layout}
        labels={wordless(englishLabels)}
        components={{ Title: TellingTitle }}
      />,
    )
    act(() => latest && given.act?.(latest))
    await waitFor(() => expect(latest?.ask.status).toBe(status))
    if (given.view) await waitFor(() => expect(isShown).toBe(true))
    const isOpen = container.querySelector('.sa-toggle') !== null
    await waitFor(() => expect(container.querySelector('.sa-shortcuts') !== null).toBe(isOpen))
    expect(textsOf(container).join('')).toContain('§')
    expect(textsOf(container).filter((text) => /\p{L}/u.test(text))).toEqual([])
  })
})

it.each<[string, Case]>([
  ['that is asked for', {}],
  ['that could not be sent', { send: fail('UNAUTHENTICATED') }],
  ['that was denied', { view: { state: 'declined', ...WHO } }],
])('and every text of a permission %s, too', async (_, { view, send = async () => ({}) }) => {
  const part = { ...partAsking(), toolName: '¤' }
  const question: Question = { id: '1', question: '1?', options: [{ value: 'deny', label: '1' }] }
  const asking = { ...part, input: { questions: [question] } }
  const subject = { toolName: '¤', input: { 1: '2' } }
  const { container } = render(
    <ToolApproval
      part={part}
      transport={transportOf(asking, { send, view: { kind: 'approval', subject, ...view } })}
      labels={wordless({ ...englishLabels, ...englishApprovalLabels, ...englishEditLabels })}
    />,
  )
  await waitFor(() => expect(isShown).toBe(true))
  if (!view) {
    const deny = await screen.findByRole('button', { name: '§' })
    await waitFor(() => expect(deny.matches(':disabled')).toBe(false))
    fireEvent.click(deny)
    await waitFor(() =>
      expect(container.querySelector('.sa-ask')?.getAttribute('data-status')).not.toBe('sending'),
    )
  }
  await waitFor(() => expect(textsOf(container).join('')).toContain('§'))
  expect(textsOf(container).filter((text) => /\p{L}/u.test(text))).toEqual([])
})
