import { isMeantFor } from '@sandagent/core/internal'
import { expect, it } from 'vitest'
import { unboundAnswers } from '../../../src/channel/answers/unbound-answers.ts'
import { createLocalFiles } from '../../../src/internal.ts'
import { answerFileFor } from '../../records.ts'

it('an old answer that cannot be read while its question is asked does not count later', async () => {
  const read = async (path: string): Promise<string | null> => {
    if (path.endsWith('.json')) throw Object.assign(new Error('read'), { code: 'EIO' })
    return null
  }
  const files = { ...createLocalFiles('/'), read }
  const passedOver = await unboundAnswers(files, '.sandagent/approvals', 't1', async () => false)
  const question = { nonce: 'nonce', kind: 'question', passedOver } as const
  expect(isMeantFor(answerFileFor('t1'), question)).toBe(false)
  expect(isMeantFor(answerFileFor('t1', { nonce: 'nonce' }), question)).toBe(true)
})
