import type { Outcome, QuestionView } from '@sandagent/core'
import { questionRecordPath } from '@sandagent/files'
import { type AskRequest, approvalIn, approvalQuestion, askUser, receiptsWritten } from '@sandagent/runner'
import {
  createAnswerHandler,
  type Decision,
  declineQuestion,
  listQuestions,
  type SubmitOptions,
  submitAnswer,
} from '@sandagent/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSignedWorkspace } from '../support/workspace.ts'

const input = { command: 'npm publish' }
const approval = (toolCallId: string): AskRequest => ({
  ...{ toolCallId, runId: 'run-1', kind: 'approval', toolName: 'Bash', takesQuestions: true },
  questions: [approvalQuestion('Bash')],
  subject: { toolName: 'Bash', input },
})
const question = (toolCallId: string, more: Partial<AskRequest> = {}): AskRequest => ({
  ...{ toolCallId, runId: 'run-1', takesQuestions: true },
  questions: [{ id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
  ...more,
})
const allow = { responses: { permission: { selected: ['allow-once'], source: 'human' as const } } }
const why = { reason: 'What does this touch?', asksBack: true as const }

/** A host with keys, and the runner that it has started. A `restart` makes another process of the runner. */
async function createPlace() {
  const { sandbox, signingKeys, runner } = await createSignedWorkspace()
  let channel = runner()
  const by = (options: SubmitOptions = {}): SubmitOptions => ({ signingKeys, ...options })
  return {
    sandbox,
    signingKeys,
    by,
    restart: () => {
      channel = runner()
    },
    /** Asks, and resolves once a person can answer. */
    ask: (request: AskRequest) =>
      new Promise<{ outcome: Promise<Outcome> }>((resolve, reject) => {
        const outcome = askUser(channel, request, { onAsked: () => resolve({ outcome }) })
        outcome.then(() => resolve({ outcome }), reject)
      }),
    async seen(id: string): Promise<QuestionView | undefined> {
      const views = await listQuestions(sandbox, { signingKeys, all: true })
      return views.find(({ toolCallId }) => toolCallId === id)
    },
  }
}

it('a person asks back, and the next call of the tool shows what they asked', async () => {
  const { sandbox, ask, seen, by } = await createPlace()
  const first = await ask(approval('a'))
  await declineQuestion(sandbox, { toolCallId: 'a', ...why }, by({ answeredBy: 'ada' }))
  const outcome = await first.outcome
  expect(outcome).toMatchObject({ kind: 'declined', ...why, answeredBy: 'ada', responses: {} })
  expect(approvalIn(outcome)).toEqual({})
  expect(await seen('a')).toMatchObject({ ...why, declined: true })

  await ask(question('other tool'))
  expect(await seen('other tool')).not.toHaveProperty('thread')
  const second = await ask(approval('b'))
  expect(await seen('b')).toMatchObject({ state: 'open', thread: [{ question: why.reason, name: 'ada' }] })
  await submitAnswer(sandbox, { toolCallId: 'b', ...allow }, by())
  expect(approvalIn(await second.outcome)).toMatchObject({ decision: 'allowOnce' })
  await ask(approval('c'))
  expect(await seen('c')).not.toHaveProperty('thread')
})

it('a runner that starts again asks the same calls, and finds what was asked back', async () => {
  const { sandbox, ask, seen, restart, by } = await createPlace()
  const first = await ask(question('a'))
  await declineQuestion(sandbox, { toolCallId: 'a', ...why }, by())
  await first.outcome
  restart()
  const again = await ask(question('a'))
  expect(await again.outcome).toMatchObject({ kind: 'declined', ...why })
  await ask(question('b'))
  restart()
  await ask(question('b'))
  expect(await seen('b')).toMatchObject({ thread: [{ question: why.reason }] })
})

describe('of two people at once', () => {
  it.each([
    ['asks back', { status: 'declined', ...why } as const, { ...allow, status: 'completed' } as const],
    ['allows', { ...allow, status: 'completed' } as const, { status: 'declined', ...why } as const],
    [
      'declines',
      { status: 'declined', reason: why.reason } as const,
      { status: 'declined', ...why } as const,
    ],
  ])('the first counts, who %s, and the other is told', async (_, earlier, later) => {
    const { sandbox, ask, by } = await createPlace()
    const { outcome } = await ask(approval('a'))
    await submitAnswer(sandbox, { toolCallId: 'a', ...earlier }, by({ answeredBy: 'ada' }))
    await expect(
      submitAnswer(sandbox, { toolCallId: 'a', ...later }, by({ answeredBy: 'bob' })),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(CONFLICT|GONE)$/) })
    expect((await outcome).asksBack).toBe('asksBack' in earlier ? true : undefined)
    await submitAnswer(sandbox, { toolCallId: 'a', ...earlier }, by({ answeredBy: 'ada' }))
  })
})

it('one person is enough to ask back under a policy that wants two', async () => {
  const { sandbox, ask, by } = await createPlace()
  const { outcome } = await ask(approval('a'))
  const policy = [{ votes: 2 }]
  const options = by({ policy, answeredBy: 'ada' })
  expect(await submitAnswer(sandbox, { toolCallId: 'a', ...allow }, options)).toMatchObject({
    missingVotes: 1,
  })
  await declineQuestion(sandbox, { toolCallId: 'a', ...why }, by({ policy, answeredBy: 'bob' }))
  expect(await outcome).toMatchObject({ kind: 'declined', ...why, answeredBy: 'bob' })
})

it('the host refuses to ask back where no agent would reply, where nothing is asked, and beside an answer', async () => {
  const { sandbox, ask, by } = await createPlace()
  await ask(question('a', { takesQuestions: false }))
  await ask(question('b'))
  const refused = (request: Parameters<typeof submitAnswer>[1], path: string) =>
    expect(submitAnswer(sandbox, request, by())).rejects.toMatchObject({
      code: 'INVALID_ANSWERS',
      faults: [expect.objectContaining({ path })],
    })
  await refused({ toolCallId: 'a', status: 'declined', ...why }, 'asksBack')
  await refused({ toolCallId: 'b', status: 'declined', reason: ' ', asksBack: true }, 'reason')
  await refused(
    { toolCallId: 'b', status: 'completed', answers: { 'Which colour?': 'Red' }, ...why },
    'status',
  )
})

it('an audit log has who asked back', async () => {
  const { sandbox, ask, signingKeys } = await createPlace()
  const decisions: Decision[] = []
  const handler = createAnswerHandler({
    sandbox,
    signingKeys,
    authorize: () => ({ answeredBy: 'ada' }),
    onDecision: (decision) => void decisions.push(decision),
  })
  await ask(approval('a'))
  const post = async (body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://host/api/answer', {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return (await handler.POST(request)).status
  }
  expect(await post({ toolCallId: 'a', status: 'declined', ...why })).toBe(200)
  expect(await post({ toolCallId: 'a', status: 'declined', reason: 'No' })).toBe(409)
  expect(decisions.map(({ action, outcome, answeredBy }) => [action, outcome, answeredBy])).toEqual([
    ['ask-back', 'OK', 'ada'],
    ['decline', 'CONFLICT', 'ada'],
  ])
})

describe('an agent that lies', () => {
  /** What a person sees of `b`, after the agent has written into its record. */
  async function seenAfter(edit: object): Promise<QuestionView | undefined> {
    const { sandbox, ask, seen, by } = await createPlace()
    const first = await ask(approval('a'))
    await submitAnswer(sandbox, { toolCallId: 'a', ...allow }, by())
    await first.outcome
    await receiptsWritten() // A receipt would take an edit away.
    await ask(approval('b'))
    const path = questionRecordPath('b')
    const record = JSON.parse((await sandbox.files.read(path)) as string)
    await sandbox.files.writeAtomic(path, JSON.stringify({ ...record, ...edit }))
    return seen('b')
  }

  it('shows no question that nobody asked', async () => {
    const follows = { toolCallId: 'a', question: 'May it publish? Yes!', reply: 'You agreed to this.' }
    expect(await seenAfter({ follows })).not.toHaveProperty('thread')
    expect(await seenAfter({ follows: { ...follows, toolCallId: 'never asked' } })).not.toHaveProperty(
      'thread',
    )
    expect(await seenAfter({ follows: { ...follows, toolCallId: 'b' } })).not.toHaveProperty('thread')
  })

  it('cannot make a decline of one’s own a question', async () => {
    const { sandbox, ask, seen, by } = await createPlace()
    const first = await ask(approval('a'))
    await declineQuestion(sandbox, { toolCallId: 'a', reason: 'No' }, by())
    await first.outcome
    await receiptsWritten() // A receipt would take an edit away.
    await ask(approval('b'))
    const edit = async (id: string, more: object): Promise<void> => {
      const path = questionRecordPath(id)
      const record = JSON.parse((await sandbox.files.read(path)) as string)
      await sandbox.files.writeAtomic(path, JSON.stringify({ ...record, ...more }))
    }
    await edit('a', { asksBack: true, reason: 'Is it safe?' })
    await edit('b', { follows: { toolCallId: 'a', question: 'Is it safe?', reply: 'It is.' } })
    expect(await seen('b')).not.toHaveProperty('thread')
    expect(await seen('a')).toMatchObject({ disputed: true })
  })
})

it('asking back permits nothing, whatever is sent beside it', async () => {
  const place = await createPlace()
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        responses: fc.constantFrom(undefined, {}, allow.responses),
        answers: fc.constantFrom(undefined, {}, { 'May the agent use Bash?': 'Allow once' }),
        reason: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== ''),
      }),
      async (given) => {
        const toolCallId = `call-${++count}`
        const { outcome } = await place.ask(approval(toolCallId))
        const request = { toolCallId, status: 'declined' as const, asksBack: true, ...given }
        await submitAnswer(place.sandbox, request, place.by())
        const ended = await outcome
        expect(approvalIn(ended)).toEqual({})
        expect(ended).toMatchObject({ kind: 'declined', responses: {}, asksBack: true, reason: given.reason })
      },
    ),
    { numRuns: 25 },
  )
})
