import { type AnswerFile, approvalIn } from '@sandagent/core/internal'
import { receiptsWritten } from '@sandagent/runner'
import { describe, expect, it, vi } from 'vitest'
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

  it('cannot allow for the session what needs no passkey: the agent might take a call for allowed that does', async () => {
    const edit = { toolName: 'Edit', input: { file_path: 'a', old_string: 'b', new_string: 'c' } }
    const sessionScope = 'Until the session ends, without asking: change files in the folders it works in'
    const { outcome, record } = await asking({ of: edit, sessionScope })
    expect(record.questions[0]?.options?.map(({ value }) => value)).toEqual(['allow-once', 'deny'])
    await plant(record, { responses: { permission: { selected: ['allow-session'], source: 'human' } } })
    await vi.waitFor(() => expect(at.warnings).toMatchObject([{ code: 'INVALID_ANSWERS' }]))
    await plant(record, { responses: denied, revision: 2 })
    expect(approvalIn(await outcome).decision).toBe('deny')
    await receiptsWritten()
  })

  it('can still allow what needs no passkey', async () => {
    const { outcome, record } = await asking({ of: { ...subject, toolName: 'Read' } })
    await plant(record, {})
    expect(approvalIn(await outcome).decision).toBe('allowOnce')
    expect(record.passkeys).toBeUndefined()
    await receiptsWritten()
  })
})
