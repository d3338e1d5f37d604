import { ANSWER_TOKEN_TYPE, answerClaims, type BoundAnswerFile, systemClock } from '@sandagent/core/internal'
import { expect, it } from 'vitest'
import { createSigningKey, parseSigningKeys } from '../../src/index.ts'
import { attemptPaths } from '../../src/run-records/run-paths.ts'
import { authenticatorOf } from '../../src/signing/authenticate.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

it('takes no signature for good because it was one by the keys of another host in the same process', async () => {
  const sandbox = await tempSandbox()
  const [own, other] = [
    await parseSigningKeys(await createSigningKey()),
    await parseSigningKeys(await createSigningKey()),
  ]
  const now = new Date().toISOString()
  const run = { version: 1, runId: 'run-1', attempt: 1, agent: 'x', args: [], prompt: '', metadata: {} }
  const publicKeyIds = own.publicKeys.keys.map(({ kid }) => kid)
  const runRecord = { ...run, startedAt: now, process: 'none', maxLogBytes: 1, publicKeyIds }
  await sandbox.files.writeAtomic(attemptPaths(sandbox, 'run-1', 1).record, JSON.stringify(runRecord))
  const record = {
    version: 1,
    toolCallId: 'call',
    toolName: 'AskUserQuestion',
    kind: 'question',
    questions: [{ id: 'q1', question: 'Which?' }],
    askedAt: now,
    timeoutMs: 'never',
    deadline: null,
    nonce: 'nonce',
    runId: 'run-1',
    state: 'open',
  } as const
  const answer: BoundAnswerFile = {
    version: 1,
    toolCallId: 'call',
    nonce: 'nonce',
    questions: [...record.questions],
    answers: {},
    status: 'completed',
    timestamp: now,
    revision: 1,
    responses: {},
  }
  const question = { ...record, questions: [...record.questions] }
  const claims = answerClaims(answer, question)
  const facts = { type: ANSWER_TOKEN_TYPE, clock: systemClock, lifetimeMs: 60_000 }
  const signed = { ...answer, signature: await other.sign(claims, facts) }
  const verdictBy = (signingKeys: typeof own) =>
    authenticatorOf(sandbox, { signingKeys, clock: systemClock })(signed, question)
  expect(await verdictBy(other)).toMatchObject({ toolCallId: 'call', revision: 1 })
  expect(await verdictBy(own)).toBeNull()
})
