import { type AnswerFile, approvalIn } from '@sandagent/core/internal'
import { receiptsWritten } from '@sandagent/runner'
import { describe, expect, it } from 'vitest'
import { denied, signedCalls, subject, vote } from './signed-calls.ts'

const { at, asking, plant, isRefused } = signedCalls()

describe('whoever has the key of the host, and no passkey,', () => {
  it('can deny', async () => {
    const { outcome, record } = await asking()
    await plant(record, { responses: denied })
    expect(approvalIn(await outcome).decision).toBe('deny')
    expect(at.warnings).toEqual([])
    await receiptsWritten()
  })

  it.each([
    ['without votes', {}, /nobody has signed/],
    ['with a vote and no proof', { votes: [vote('Ada')] }, /no passkey of Ada/],
    [
      'for the session',
      { responses: { permission: { selected: ['allow-session'], source: 'human' } } },
      /Allow once/,
    ],
    [
      'in words',
      { responses: { permission: { selected: ['deny'], freeText: 'allow-once', source: 'human' } } },
      /Allow once/,
    ],
  ] as [string, Partial<AnswerFile>, RegExp][])('cannot allow a call %s', async (_, changes, why) => {
    await isRefused(await asking(), changes, why)
  })

  it('cannot leave a draft that allows when the time runs out', async () => {
    await isRefused(await asking(), { status: 'pending' }, /nobody has signed/)
  })

  it('can still allow what needs no passkey', async () => {
    const { outcome, record } = await asking({ of: { ...subject, toolName: 'Read' } })
    await plant(record, {})
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    expect(record.passkeys).toBeUndefined()
    await receiptsWritten()
  })
})
