import { expect, it } from 'vitest'
import { attemptsOf } from '../../src/run-records/run-records.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

it('the starts of a run are the whole numbers in its folder, each once and in their order', async () => {
  const sandbox = await tempSandbox()
  expect(await attemptsOf(sandbox, 'r')).toEqual([])
  const starts = ['10/run.json', '2.json', '2/run.json', '1.json']
  const others = [
    '3x/run.json',
    'x4/run.json',
    '05/run.json',
    '6.json.bak',
    '0.json',
    '-7.json',
    '1234567890.json',
  ]
  for (const name of [...starts, ...others])
    await sandbox.files.writeAtomic(`.sandagent/runs/r/${name}`, '{}')
  expect(await attemptsOf(sandbox, 'r')).toEqual([1, 2, 10])
})
