import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { editOf, readJsonAnswer, requestOf } from '../../../src/commands/questions/given-answer.ts'

const stdin = new PassThrough() as unknown as typeof process.stdin
const noFiles = vi.fn()
const read = (answer: unknown, id?: string) => readJsonAnswer(JSON.stringify(answer), id, { stdin })

it.each([5, [], { toString: 1 }])('an answer for the id %j is refused', async (toolCallId) => {
  const refusal = { code: 'INVALID_REQUEST', faults: [expect.objectContaining({ path: 'toolCallId' })] }
  await expect(read({ toolCallId }, 'a')).rejects.toMatchObject(refusal)
  await expect(read({ toolCallId })).rejects.toMatchObject(refusal)
})

it('an answer has the id that it names, or the one of the command line', async () => {
  expect(await read({ toolCallId: 'a', status: 'declined' }, 'a')).toEqual({
    toolCallId: 'a',
    isNamed: true,
    answer: { status: 'declined' },
  })
  expect(await read({ status: 'declined' }, 'a')).toMatchObject({ toolCallId: 'a', isNamed: false })
  expect(await read({ status: 'declined' })).not.toHaveProperty('toolCallId')
  await expect(read({ toolCallId: 'b' }, 'a')).rejects.toThrow(/for b, not for a/)
})

it('an option that a passkey must allow is on the page: the command says so', async () => {
  const deny = { label: 'Deny', value: 'deny' }
  const questions = [{ id: 'permission', question: 'May the agent use Bash?', options: [deny] }]
  const view = { toolCallId: 'a', kind: 'approval', state: 'open', questions, responses: {} } as const
  const allow = { kind: 'picked', labels: ['Allow once'], text: undefined, files: [] } as const
  const asked = { ...view, revision: 0, declined: false, deadline: null, remainingMs: null }
  await expect(requestOf(allow, { ...asked, rule: { passkey: true } }, noFiles)).rejects.toThrow(
    /passkey: allow it on the page/,
  )
  await expect(requestOf(allow, asked, noFiles)).rejects.toThrow(
    /^There is no option Allow once\. There are: Deny$/,
  )
  const edited = (of: object) => () =>
    editOf({ command: 'ls' }, { ...asked, subject: { toolName: 'Bash', input: {}, editable: true }, ...of })
  expect(edited({ rule: { passkey: true } })).toThrow(/needs a passkey: edit it on the page/)
  expect(edited({})).toThrow(/is no call that may be edited/)
})

it('a secret does not stand in a command', async () => {
  const questions = [{ id: 'q1', question: 'The token?', secret: { publicKey: 'key' } }]
  const asked = { toolCallId: 'a', kind: 'question', state: 'open', questions, responses: {} } as const
  const view = { ...asked, revision: 0, declined: false, deadline: null, remainingMs: null }
  await expect(
    requestOf({ kind: 'picked', labels: [], text: 'hunter2', files: [] }, view, noFiles),
  ).rejects.toThrow(/^A secret does not stand/)
})
