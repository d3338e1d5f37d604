import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { approvalIn, type QuestionRecord, viewOf } from '@sandagent/core/internal'
import { receiptsWritten } from '@sandagent/runner'
import { submitAnswer } from '@sandagent/sdk'
import { channelOf } from '@sandagent/sdk/internal'
import { expect, it, vi } from 'vitest'
import { allowed, denied, hostKeys, POLICY, proofOf, signedCalls, TOOL, vote } from './signed-calls.ts'

const { at, asking, plant } = signedCalls()

it.each([
  ['the same run, started again', 'run_1'],
  ['a run that continues it', 'run_2'],
])('what a passkey signed while no runner was there counts for %s', async (_, runId) => {
  const stop = new AbortController()
  const first = await asking({ detachSignal: stop.signal })
  stop.abort()
  expect((await first.outcome).kind).toBe('aborted')
  const proof = proofOf(at.ada, first.record)
  const request = { toolCallId: TOOL, status: 'completed' as const, responses: allowed, passkey: proof }
  const host = { passkeys: at.passkeys, signingKeys: hostKeys }
  await submitAnswer(at.sandbox, request, { answeredBy: 'Ada', policy: POLICY, ...host })
  const second = await asking({ runId, continues: ['run_1'] })
  expect(second.record.nonce).toBe(first.record.nonce)
  const state = await channelOf(at.sandbox, host).read(TOOL)
  expect(viewOf(state, Date.now())).not.toHaveProperty('ignored')
  expect(approvalIn(await second.outcome).decision).toBe('allowOnce')
  expect(at.warnings).toEqual([])
  await receiptsWritten()
})

it.each([
  ['says that another run asked first', (record: QuestionRecord) => record],
  ['hides which run asked first', ({ passkeys: _, ...record }: QuestionRecord) => record],
])(
  'what a passkey signed for another run is not taken by an agent that plants its question and %s',
  async (_, planted) => {
    const first = await asking({ runId: 'run_1' })
    const votes = [vote('Ada', proofOf(at.ada, first.record))]
    await plant(first.record, { responses: denied })
    await first.outcome
    await receiptsWritten()
    // The agent of the second run knows the nonce of the first one, and a thief has the key of the host.
    const path = join(at.sandbox.workdir, '.sandagent/questions', `${TOOL}.json`)
    const record: QuestionRecord = planted({ ...first.record, runId: 'run_2' })
    await writeFile(path, JSON.stringify(record))
    await plant(record, { votes })
    const second = await asking({ runId: 'run_2' })
    await plant({ ...second.record, nonce: first.record.nonce }, { votes, revision: 2 })
    await vi.waitFor(() => expect(at.warnings).not.toEqual([]))
    await plant(second.record, { responses: denied, revision: 9 })
    expect(approvalIn(await second.outcome).decision).toBe('deny')
    await receiptsWritten()
  },
)

it('a run that is started again and checks no passkeys does not take up what demands them', async () => {
  const stop = new AbortController()
  const first = await asking({ detachSignal: stop.signal })
  stop.abort()
  await first.outcome
  await expect(asking({ demand: null })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  const again = await asking()
  expect(again.record.nonce).toBe(first.record.nonce)
  await plant(again.record, { responses: denied })
  await again.outcome
  await receiptsWritten()
})
