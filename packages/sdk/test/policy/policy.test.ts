import { approvalQuestion, type OpenRecord } from '@sandagent/core/internal'
import { createRunnerChannel } from '@sandagent/core/store'
import { createFileRunnerChannel } from '@sandagent/files'
import { runner } from '@sandagent/fixtures/runner/runner.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import { fleetSandbox } from '@sandagent/fleet-host'
import { openRecord } from '@sandagent/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createSandboxTransport,
  createSigningKey,
  declineQuestion,
  type LocalSandbox,
  listQuestions,
  type Policy,
  parseSigningKeys,
  type QuestionView,
  type SubmitOptions,
  startRun,
  stopRun,
  submitAnswer,
} from '../../src/index.ts'
import { noted, started } from '../support/runs.ts'
import { answerFile, ask, close, picked, refusalOf, settle, tempSandbox } from '../support/temp-sandbox.ts'

const UNSIGNED = { signingKeys: null }
const TWO_LEADS: Policy = [{ roles: ['lead'], votes: 2 }]

const by = (answeredBy: string | undefined, policy: Policy, ...roles: string[]): SubmitOptions => ({
  answeredBy,
  roles,
  policy,
  ...UNSIGNED,
})
const lead = (name: string): SubmitOptions => by(name, TWO_LEADS, 'lead')
const answer = (label: string, more: { notes?: string } = {}) => ({
  toolCallId: 'toolu_1',
  status: 'completed' as const,
  responses: { q1: { ...picked(label), ...more } },
})
const TYPESCRIPT = answer('TypeScript')
const PYTHON = answer('Python')

/** The record of an approval of a tool. */
const approvalOf = (toolName: string): Partial<OpenRecord> => ({
  kind: 'approval',
  toolName,
  subject: { toolName, input: { command: 'ls' } },
})
const PERMISSION = [approvalQuestion('Bash')]
const decide = (value: string) => ({
  toolCallId: 'toolu_1',
  status: 'completed' as const,
  responses: { permission: picked(value) },
})

/** A sandbox with one question. */
async function asked(...more: Parameters<typeof ask> extends [unknown, unknown, ...infer T] ? T : never) {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'toolu_1', ...more)
  return sandbox
}

/** What a person's form gets. */
function viewFor(sandbox: LocalSandbox, options: SubmitOptions): Promise<QuestionView> {
  const { answeredBy, roles, policy } = options
  const transport = createSandboxTransport(sandbox, { answeredBy, roles, policy, ...UNSIGNED })
  return new Promise((resolve) => {
    const stop = transport.subscribe?.('toolu_1', (view) => {
      resolve(view)
      queueMicrotask(() => stop?.())
    })
  })
}

describe('a policy', () => {
  it.each<[string, Policy, SubmitOptions['answeredBy'], string[], string | null]>([
    ['somebody with one of the roles', [{ roles: ['lead', 'legal'] }], 'Ada', ['legal'], null],
    ['somebody without the role', [{ roles: ['lead'] }], 'Ada', ['guest'], 'a person with the role lead'],
    ['a person by name', [{ people: ['Ada', 'Ben'] }], 'Ben', [], null],
    ['somebody else', [{ people: ['Ada', 'Ben'] }], 'Eve', ['Ada'], 'Ada or Ben'],
    ['anybody with a name', [{}], 'Eve', [], null],
    ['somebody without a name', [{}], undefined, ['lead'], 'a person who is signed in'],
    ['somebody with an empty name', [{}], '', [], 'a person who is signed in'],
    [
      'nobody as the owner of an unknown run',
      [{ owner: true, roles: ['lead'] }],
      'Ada',
      [],
      'a person with the role lead or the owner of the run',
    ],
  ])('judges %s', async (_, policy, name, roles, who) => {
    const sandbox = await asked()
    const stored = submitAnswer(sandbox, TYPESCRIPT, by(name, policy, ...roles))
    if (who === null) {
      expect(await stored).toEqual({ status: 'completed', revision: 1 })
      return
    }
    const { code, message, facts } = await refusalOf(stored)
    expect([code, message]).toEqual(['NOT_ALLOWED', `Only ${who} may answer this`])
    expect(facts.question).toMatchObject({ state: 'open', mayAnswer: false, rule: policy[0] })
    const draft = { ...TYPESCRIPT, status: 'pending' as const }
    const decline = { toolCallId: 'toolu_1' }
    expect(await refusalOf(submitAnswer(sandbox, draft, by(name, policy, ...roles)))).toMatchObject({ code })
    expect(await refusalOf(declineQuestion(sandbox, decline, by(name, policy, ...roles)))).toMatchObject({
      code,
    })
  })

  it('counts by the first rule that is for the question', async () => {
    const policy: Policy = [
      { for: { kinds: ['approval'], tools: ['Bash', 'mcp__shop__*'] }, people: ['Lea'] },
      { for: { kinds: ['approval'] }, people: ['Ada'] },
      { people: ['Ben'] },
    ]
    const mayAnswer = async (more: Partial<OpenRecord>): Promise<string[]> => {
      const sandbox = await asked(PERMISSION, more)
      const views = ['Lea', 'Ada', 'Ben'].map(async (name) => {
        const { mayAnswer } = await viewFor(sandbox, by(name, policy))
        return mayAnswer ? [name] : []
      })
      return (await Promise.all(views)).flat()
    }
    expect(await mayAnswer(approvalOf('Bash'))).toEqual(['Lea'])
    expect(await mayAnswer(approvalOf('mcp__shop__pay'))).toEqual(['Lea'])
    expect(await mayAnswer(approvalOf('BashOutput'))).toEqual(['Ada'])
    expect(await mayAnswer({})).toEqual(['Ben'])
    // A question of a tool that has such a name permits nothing.
    expect(await mayAnswer({ toolName: 'Bash' })).toEqual(['Ben'])
  })

  it('lets the owner of the run answer, and nobody else', async () => {
    const sandbox = await tempSandbox()
    const { runId, owner } = await started(sandbox, { agent: 'wait', owner: 'Ada' })
    expect(owner).toBe('Ada')
    await ask(sandbox, 'toolu_1', undefined, { runId })
    const policy: Policy = [{ owner: true }]
    expect(await refusalOf(submitAnswer(sandbox, TYPESCRIPT, { answeredBy: 'Ben', policy }))).toMatchObject({
      code: 'NOT_ALLOWED',
    })
    expect(await submitAnswer(sandbox, TYPESCRIPT, { answeredBy: 'Ada', policy })).toMatchObject({
      status: 'completed',
    })
  })

  it('finds the owner of a run at every host of a fleet, and only for questions of the run’s own namespace', async () => {
    const fleet = createMemoryFleet()
    const startedAt = new Date(0).toISOString()
    await fleet.runs.put({ runId: 'run-1', namespace: 'one', metadata: {}, startedAt, owner: 'Ada' })
    const policy: Policy = [{ owner: true }]
    for (const [namespace, code] of [
      ['one', undefined],
      ['two', 'NOT_ALLOWED'],
    ] as const) {
      await createRunnerChannel(fleet.questions(namespace)).open(openRecord('toolu_1'))
      const request = { toolCallId: 'toolu_1', answers: { 'Which language?': 'A' } }
      const stored = submitAnswer(fleetSandbox(fleet, namespace), request, by('Ada', policy))
      if (code) expect(await refusalOf(stored)).toMatchObject({ code })
      else expect(await stored).toMatchObject({ status: 'completed' })
    }
  })

  it('needs the record of the question, since its rules depend on it', async () => {
    const questions = [{ question: 'Which language?' }]
    const request = { toolCallId: 'toolu_1', questions, answers: { 'Which language?': 'C' } }
    const sandbox = await asked()
    const unrecorded = { ...request, toolCallId: 'toolu_2' }
    expect(await refusalOf(submitAnswer(sandbox, unrecorded, by('Ada', [{}])))).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('refuses a policy with faults, before anything is stored', async () => {
    const sandbox = await asked()
    const policy = [{ role: ['lead'] }] as unknown as Policy
    expect(await refusalOf(submitAnswer(sandbox, TYPESCRIPT, by('Ada', policy)))).toMatchObject({
      code: 'INVALID_REQUEST',
    })
    expect((await listQuestions(sandbox, UNSIGNED))[0]).toMatchObject({ state: 'open', revision: 0 })
  })
})

describe('a rule that asks for two votes', () => {
  it('takes the first answer as a vote, which is no answer to any runner or older host', async () => {
    const sandbox = await asked()
    expect(await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))).toEqual({
      status: 'pending',
      revision: 1,
      missingVotes: 1,
    })
    const file = await answerFile(sandbox, 'toolu_1')
    expect(file).toMatchObject({ status: 'pending', answers: {}, responses: {}, rule: TWO_LEADS[0] })
    expect(file).not.toHaveProperty('answeredBy')
    expect(file.votes).toEqual([
      {
        answeredBy: 'Ada',
        roles: ['lead'],
        revision: 1,
        timestamp: expect.any(String),
        responses: { q1: picked('TypeScript') },
      },
    ])
  })

  it('makes the answer of the second person final, and names both of them', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))
    expect(await submitAnswer(sandbox, TYPESCRIPT, lead('Ben'))).toEqual({ status: 'completed', revision: 2 })
    const file = await answerFile(sandbox, 'toolu_1')
    expect(file).toMatchObject({ status: 'completed', answeredBy: 'Ben', rule: TWO_LEADS[0] })
    expect(file).toMatchObject({ answers: { 'Which language?': 'TypeScript' } })
    expect(file.votes).toMatchObject([{ answeredBy: 'Ada' }, { answeredBy: 'Ben' }])
    for (const name of ['Ada', 'Ben'])
      expect(await viewFor(sandbox, lead(name))).toMatchObject({ state: 'sent', byOther: false })
    expect(await viewFor(sandbox, lead('Cleo'))).toMatchObject({ state: 'sent', byOther: true })
  })

  it('counts a person once, however often they send the same', async () => {
    const sandbox = await asked()
    for (let time = 1; time <= 3; time++)
      expect(await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))).toMatchObject({ missingVotes: 1 })
    expect(await submitAnswer(sandbox, PYTHON, lead('Ben'))).toMatchObject({ missingVotes: 1 })
    expect(await viewFor(sandbox, lead('Cleo'))).toMatchObject({ votes: [{ name: 'Ada' }, { name: 'Ben' }] })
  })

  it.each([
    ['in case', 'ada'],
    ['in space at the ends', ' Ada '],
    ['in an invisible character', 'A\u200bda'],
    ['in the form of its letters', '\uff21da'],
  ])('counts a person once whose name differs only %s', async (_, name) => {
    const sandbox = await asked()
    await submitAnswer(sandbox, PYTHON, lead('Ada'))
    expect(await submitAnswer(sandbox, TYPESCRIPT, lead(name))).toMatchObject({ missingVotes: 1 })
    expect((await answerFile(sandbox, 'toolu_1')).votes).toMatchObject([{ answeredBy: name }])
    expect(await viewFor(sandbox, lead('Ada'))).toMatchObject({
      revision: 2,
      responses: TYPESCRIPT.responses,
      votes: [{ isOwn: true }],
    })
    expect(await submitAnswer(sandbox, TYPESCRIPT, lead('Adá'))).toMatchObject({ status: 'completed' })
    // The reply may have been lost.
    expect(await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))).toMatchObject({ status: 'completed' })
  })

  it.each([
    ['Zoé', 'Zoe\u200d\u0301'],
    ['ΝΙΚΟΣ', 'νικοσ'],
    ['Weiß', 'WEISS'],
  ])('counts %s and %s as one person', async (name, other) => {
    const sandbox = await asked()
    const policy: Policy = [{ people: [name, 'Ben'], votes: 2 }]
    const vote = (answeredBy: string) => submitAnswer(sandbox, TYPESCRIPT, by(answeredBy, policy))
    expect(await vote(name)).toMatchObject({ missingVotes: 1 })
    expect(await vote(other)).toMatchObject({ missingVotes: 1 })
    expect(await vote('Ben')).toMatchObject({ status: 'completed' })
  })

  it('tells somebody who may not answer how many have voted, and neither who nor what', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))
    await submitAnswer(sandbox, { ...PYTHON, status: 'pending' }, lead('Ben'))
    const guest = by('Eve', TWO_LEADS, 'guest')
    const { facts } = await refusalOf(submitAnswer(sandbox, PYTHON, guest))
    for (const view of [await viewFor(sandbox, guest), facts.question as QuestionView]) {
      expect(view).toMatchObject({ mayAnswer: false, responses: {}, otherDrafts: [] })
      expect(view.votes).toEqual([{ id: '1', name: '', responses: {}, revision: 1, at: expect.any(String) }])
      expect(JSON.stringify(view)).not.toMatch(/Ada|Ben/)
    }
    await submitAnswer(sandbox, TYPESCRIPT, lead('Cleo'))
    expect(await viewFor(sandbox, guest)).toMatchObject({ votes: [{ name: 'Ada' }, { name: 'Cleo' }] })
  })

  it('counts the latest vote of a person', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))
    await submitAnswer(sandbox, PYTHON, lead('Ada'))
    expect(await submitAnswer(sandbox, TYPESCRIPT, lead('Ben'))).toMatchObject({ missingVotes: 1 })
    expect(await submitAnswer(sandbox, PYTHON, lead('Cleo'))).toMatchObject({ status: 'completed' })
    expect((await answerFile(sandbox, 'toolu_1')).votes).toMatchObject([
      { answeredBy: 'Ada' },
      { answeredBy: 'Cleo' },
    ])
  })

  it('takes answers without a status as votes, too', async () => {
    const sandbox = await asked()
    const { status: _, ...clicked } = TYPESCRIPT
    expect(await submitAnswer(sandbox, clicked, lead('Ada'))).toMatchObject({ missingVotes: 1 })
    expect(await answerFile(sandbox, 'toolu_1')).not.toHaveProperty('replaceable')
    expect(await submitAnswer(sandbox, clicked, lead('Ben'))).toMatchObject({ status: 'completed' })
    expect(await answerFile(sandbox, 'toolu_1')).not.toHaveProperty('replaceable')
    expect(
      await refusalOf(submitAnswer(sandbox, { ...PYTHON, status: undefined }, lead('Ben'))),
    ).toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('gives the agent the notes of all who voted', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, answer('TypeScript', { notes: 'strict, please' }), lead('Ada'))
    const second = answer('TypeScript', { notes: 'and ESM' })
    await submitAnswer(sandbox, second, lead('Ben'))
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      responses: { q1: { notes: 'strict, please\nand ESM' } },
    })
    // Both may send theirs again: a reply may have been lost.
    expect(await submitAnswer(sandbox, second, lead('Ben'))).toMatchObject({ status: 'completed' })
    expect(await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))).toMatchObject({ status: 'completed' })
    expect(await refusalOf(submitAnswer(sandbox, TYPESCRIPT, lead('Cleo')))).toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('ends with the first person who declines', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))
    const decline = { toolCallId: 'toolu_1', reason: 'no' }
    expect(await declineQuestion(sandbox, decline, lead('Ben'))).toMatchObject({ status: 'declined' })
    expect((await answerFile(sandbox, 'toolu_1')).votes).toMatchObject([{ answeredBy: 'Ben' }])
  })

  it('ends an approval with the first person who denies it, and permits only by both', async () => {
    const denied = await asked(PERMISSION, approvalOf('Bash'))
    expect(await submitAnswer(denied, decide('allow-once'), lead('Ada'))).toMatchObject({ missingVotes: 1 })
    expect(await submitAnswer(denied, decide('deny'), lead('Ben'))).toMatchObject({ status: 'completed' })
    expect(await answerFile(denied, 'toolu_1')).toMatchObject({ responses: { permission: picked('deny') } })
    const allowed = await asked(PERMISSION, approvalOf('Bash'))
    await submitAnswer(allowed, decide('allow-once'), lead('Ada'))
    expect(await submitAnswer(allowed, decide('allow-once'), lead('Ben'))).toMatchObject({
      status: 'completed',
    })
  })

  it('keeps drafts out of the agent’s reach, and votes through the drafts of other people', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))
    await submitAnswer(sandbox, { ...PYTHON, status: 'pending' }, lead('Ben'))
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({
      responses: {},
      otherDrafts: [{ answeredBy: 'Ben', responses: PYTHON.responses }],
      votes: [{ answeredBy: 'Ada' }],
    })
    expect(await viewFor(sandbox, lead('Ben'))).toMatchObject({
      responses: PYTHON.responses,
      votes: [{ name: 'Ada', responses: TYPESCRIPT.responses }],
    })
    expect(await viewFor(sandbox, lead('Ada'))).toMatchObject({
      responses: TYPESCRIPT.responses,
      votes: [{ name: 'Ada', isOwn: true }],
      otherDrafts: [{ name: 'Ben' }],
    })
  })

  it('does not count a vote for a question that the agent has changed since', async () => {
    const sandbox = await asked(PERMISSION, approvalOf('Bash'))
    await submitAnswer(sandbox, decide('allow-once'), lead('Ada'))
    // The same nonce, and another command.
    const runner = createFileRunnerChannel({ workdir: sandbox.workdir })
    const { nonce, ...record } = openRecord('toolu_1', {
      questions: [{ ...PERMISSION[0], id: 'permission', question: 'May the agent use Bash?' }],
      ...approvalOf('Bash'),
    })
    await sandbox.files.writeAtomic(
      '.sandagent/questions/toolu_1.json',
      JSON.stringify({ ...record, nonce, subject: { toolName: 'Bash', input: { command: 'rm -rf /' } } }),
    )
    expect((await runner.read('toolu_1'))?.votes).toHaveLength(1)
    expect(await viewFor(sandbox, lead('Ben'))).not.toHaveProperty('votes')
    expect(await submitAnswer(sandbox, decide('allow-once'), lead('Ben'))).toMatchObject({ missingVotes: 1 })
  })

  it('does not count the vote of a person who may no longer answer', async () => {
    const sandbox = await asked()
    await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))
    const stricter: Policy = [{ roles: ['owner'], people: ['Ben'], votes: 2 }]
    expect(await submitAnswer(sandbox, TYPESCRIPT, by('Ben', stricter))).toMatchObject({ missingVotes: 1 })
    expect((await answerFile(sandbox, 'toolu_1')).votes).toMatchObject([{ answeredBy: 'Ben' }])
  })

  it('refuses a vote after the question has ended', async () => {
    const sandbox = await asked(undefined, { timeoutMs: 1000 })
    await submitAnswer(sandbox, TYPESCRIPT, lead('Ada'))
    await close(sandbox, 'toolu_1')
    await settle(sandbox, 'toolu_1', { state: 'timed-out' })
    expect(await refusalOf(submitAnswer(sandbox, TYPESCRIPT, lead('Ben')))).toMatchObject({ code: 'GONE' })
    const [view] = await listQuestions(sandbox, { all: true, ...UNSIGNED })
    expect(view).toMatchObject({ state: 'timed-out', responses: {} })
    expect(view).not.toHaveProperty('disputed')
  })

  it('refuses votes that would make the answer file too long', async () => {
    const sandbox = await asked([{ question: 'Why?' }])
    const long = (letter: string) => ({
      toolCallId: 'toolu_1',
      status: 'completed' as const,
      responses: { q1: { selected: [], freeText: letter.repeat(100_000), source: 'human' as const } },
    })
    await submitAnswer(sandbox, long('a'), lead('Ada'))
    expect(await refusalOf(submitAnswer(sandbox, long('b'), lead('Ben')))).toMatchObject({
      code: 'TOO_LARGE',
    })
    expect(await submitAnswer(sandbox, long('a'), lead('Ben'))).toMatchObject({ status: 'completed' })
  })

  it('signs the rule and the votes with the answer, and trusts no vote that is not signed', async () => {
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const sandbox = await tempSandbox()
    const request = { agent: 'wait', prompt: 'Go', runner }
    const { runId } = await startRun(sandbox, request, { signingKeys })
    onTestFinished(() =>
      stopRun(sandbox, runId, { graceMs: 0 })
        .then(() => noted(sandbox, runId))
        .then(() => {}),
    )
    await ask(sandbox, 'toolu_1', undefined, { runId })
    const signed = (name: string): SubmitOptions => ({ ...lead(name), signingKeys })
    await submitAnswer(sandbox, TYPESCRIPT, signed('Ada'))
    const file = await answerFile(sandbox, 'toolu_1')
    const [vote] = file.votes as object[]
    const forged = { ...file, votes: [vote, { ...vote, answeredBy: 'Cleo' }] }
    await sandbox.files.writeAtomic('.sandagent/approvals/toolu_1.json', JSON.stringify(forged))
    await submitAnswer(sandbox, { ...PYTHON, status: 'pending' }, signed('Eve'))
    expect((await answerFile(sandbox, 'toolu_1')).votes).toMatchObject([{ answeredBy: 'Ada' }])
    await submitAnswer(sandbox, TYPESCRIPT, signed('Ben'))
    const { signature } = await answerFile(sandbox, 'toolu_1')
    expect(decodeJwt(signature as string)).toMatchObject({
      status: 'completed',
      rule: { roles: ['lead'], votes: 2 },
      votes: [
        { answeredBy: 'Ada', roles: ['lead'], timestamp: expect.any(String) },
        { answeredBy: 'Ben', roles: ['lead'], timestamp: expect.any(String) },
      ],
    })
  })
})
