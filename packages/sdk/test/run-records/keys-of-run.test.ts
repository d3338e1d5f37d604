import { expect, it } from 'vitest'
import { keysOfRun } from '../../src/run-records/run-facts.ts'
import { recordedRun } from '../support/recorded-run.ts'

it('the keys of a run are those of its record', async () => {
  const { sandbox } = await recordedRun({ record: { publicKeyIds: ['k1', 'k2'] } })
  expect(await keysOfRun(sandbox, 'r')).toEqual(['k1', 'k2'])
})

it('a run without keys, a run that no host knows and a text that is no run id have no keys', async () => {
  const { sandbox } = await recordedRun()
  for (const runId of ['r', 'unknown', '../r', ''])
    expect(await keysOfRun(sandbox, runId), runId).toBeUndefined()
})

it('a sandbox that knows its runs is asked for the keys, by run ids alone', async () => {
  const { sandbox } = await recordedRun({ record: { publicKeyIds: ['k1'] } })
  const keysThere = async (runId: string) => [`of ${runId}`]
  const runs = { keyIds: keysThere }
  expect(await keysOfRun({ ...sandbox, runs }, 'r')).toEqual(['of r'])
  expect(await keysOfRun({ ...sandbox, runs }, '../r')).toBeUndefined()
})
