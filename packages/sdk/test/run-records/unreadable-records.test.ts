import { AskError } from '@sandagent/core'
import { expect, it } from 'vitest'
import { orWhenRefused } from '../../src/run-records/run-records.ts'

it('a record that is no record is passed over, and a failure of the system is not', async () => {
  const unreadable = new AskError('INVALID_FILE', 'No record')
  expect(await Promise.reject(unreadable).catch(orWhenRefused('nothing'))).toBe('nothing')
  const failure = Object.assign(new Error('I/O error'), { code: 'EIO' })
  await expect(Promise.reject(failure).catch(orWhenRefused('nothing'))).rejects.toBe(failure)
})
