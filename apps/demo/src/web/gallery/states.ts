import {
  type AnswerTransport,
  AskError,
  type AskForm,
  type QuestionView,
  type Responses,
} from '@sandagent/sdk/react'

/** A state of a question, and how it came about. */
export interface State {
  view?: (responses: QuestionView['responses']) => Partial<QuestionView>
  /** The steps in the page that lead to this state, given an answer to the kind of question. */
  act?: (form: AskForm, responses: Responses) => void
  /** How the host responds, given the view of the question. */
  send?: (viewWith: (view: Partial<QuestionView>) => QuestionView) => AnswerTransport['send']
  part?: { state: string }
  /** Whether approvals are never in this state. */
  isOfQuestions?: true
  /** How long an answer counts down. */
  undoMs?: number | undefined
}

const never = (): AnswerTransport['send'] => () => new Promise(() => {})
const failing =
  (code: 'UNREACHABLE' | 'UNAUTHENTICATED' | 'FORBIDDEN', message: string) =>
  (): AnswerTransport['send'] =>
  () =>
    Promise.reject(new AskError(code, message))

const TWO_LEADS = { roles: ['lead'], votes: 2 }

const WHO = { answeredBy: 'somebody@example.org', answeredAt: '2026-03-01T14:05:00Z' }

/** Types a note. Every kind of question accepts it. */
const enter = ({ ask }: AskForm): void => ask.setNotes(ask.questions[0]?.id ?? '', 'Take your time')

/** Answers all questions and submits them. */
const answer = ({ ask }: AskForm, responses: Responses): void => {
  for (const { id, options, typed } of ask.questions) {
    const [first] = options ?? []
    if (first) ask.selectAnswer(id, first.label, undefined, { autoSubmit: false })
    else ask.setFreeText(id, typed ? textIn(responses[id]) : 'Something else')
  }
  ask.submit({ partial: true })
}

const textIn = (response: Responses[string] | undefined): string =>
  response && 'freeText' in response ? (response.freeText ?? '') : ''

/** Marks the answers as defaults. */
const byDefault = (responses: Responses): Responses =>
  Object.fromEntries(
    Object.entries(responses).map(([id, response]) => [
      id,
      'selected' in response ? { ...response, source: 'default' } : response,
    ]),
  )

/** All states of a question. */
export const STATES: Record<string, State> = {
  Waiting: {},
  'Still being written': { part: { state: 'input-streaming' } },
  'Draft saved': { view: (responses) => ({ responses, revision: 1 }) },
  'Somebody else is answering': {
    view: (responses) => ({
      people: [{ id: 'ada', name: 'Ada', isTyping: true }],
      otherDrafts: [{ id: 'ada', name: 'Ada', responses, revision: 1, at: '2026-03-01T14:05:00Z' }],
    }),
  },
  'Somebody has voted': {
    view: (responses) => ({
      rule: TWO_LEADS,
      mayAnswer: true,
      votes: [{ id: 'ada', name: 'Ada', responses, revision: 1, at: '2026-03-01T14:05:00Z' }],
    }),
  },
  Voted: {
    view: (responses) => ({
      rule: TWO_LEADS,
      mayAnswer: true,
      votes: [{ id: 'me', name: 'Ada', isOwn: true, responses, revision: 1, at: '2026-03-01T14:05:00Z' }],
      responses,
      revision: 1,
    }),
  },
  'Others may answer': { view: () => ({ rule: TWO_LEADS, mayAnswer: false }) },
  'With a deadline': {
    view: () => ({ deadline: '2030-01-01T00:00:00Z', remainingMs: 90 * 60_000 }),
  },
  'In the last minute': { view: () => ({ deadline: '2030-01-01T00:00:00Z', remainingMs: 50_000 }) },
  Saving: { send: never, act: enter },
  'Held back': { act: ({ ask }) => ask.submit() },
  'Counting down': {
    act: ({ ask }) => {
      for (const { id, options: [first] = [] } of ask.questions) if (first) ask.selectAnswer(id, first.label)
    },
    undoMs: 600_000,
  },
  Sending: {
    view: (responses) => ({ responses, revision: 1 }),
    send: never,
    act: ({ ask }) => ask.submit({ partial: true }),
  },
  'Not saved': { send: failing('UNREACHABLE', 'No connection'), act: enter },
  'Trying again': { send: failing('UNREACHABLE', 'No connection'), act: answer },
  'Not signed in': { send: failing('UNAUTHENTICATED', 'Sign in'), act: answer },
  Refused: { send: failing('FORBIDDEN', 'Only the owner of the project may answer'), act: answer },
  'Run ended': { view: () => ({ runEnded: true }) },
  Sent: { view: (responses) => ({ state: 'sent', responses, ...WHO }) },
  'Sent to a run that ended': { view: (responses) => ({ state: 'sent', responses, runEnded: true }) },
  Received: { view: (responses) => ({ state: 'answered', responses, ...WHO }) },
  Declined: { view: () => ({ state: 'declined', declined: true, reason: 'Not before the release' }) },
  'Asking back': {
    view: () => ({
      takesQuestions: true,
      thread: [
        { question: 'What is it for?', name: 'Ada', reply: 'For the roof.\nIt lasts for twenty years.' },
        { question: 'And the door?', isOwn: true },
      ],
    }),
  },
  'Goes on without you': { view: () => ({ blocking: false }), isOfQuestions: true },
  'Went on, and has ended': { view: () => ({ blocking: false, runEnded: true }), isOfQuestions: true },
  'Comes back for the answer': {
    view: () => ({ blocking: false, comesBack: true, runEnded: true }),
    isOfQuestions: true,
  },
  'Asked back': {
    view: () => ({ state: 'declined', declined: true, asksBack: true, reason: 'What is it for?' }),
  },
  'Timed out': { view: () => ({ state: 'timed-out' }) },
  'Timed out, with defaults': {
    view: (responses) => ({ state: 'timed-out', responses: byDefault(responses) }),
    isOfQuestions: true,
  },
  'Timed out over a draft': {
    view: (responses) => ({ state: 'partial', responses }),
    isOfQuestions: true,
  },
  Withdrawn: { view: () => ({ state: 'aborted' }) },
  Superseded: {
    view: (responses) => ({ responses, revision: 1 }),
    send: (viewWith) => () => {
      const question = viewWith({ state: 'sent', revision: 2, byOther: true, ...WHO })
      return Promise.reject(new AskError('CONFLICT', 'Somebody answered already', { facts: { question } }))
    },
    act: answer,
  },
  Declining: { act: (form) => form.setDeclining(true) },
  Review: { act: (form) => form.isStepwise && form.goTo(form.ask.questions.length) },
}
