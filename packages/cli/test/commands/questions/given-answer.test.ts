import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readJsonAnswer } from '../../../src/commands/questions/given-answer.ts'

const stdin = new PassThrough() as unknown as typeof process.stdin
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
