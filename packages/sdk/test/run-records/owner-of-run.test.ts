import { expect, it } from 'vitest'
import { ownerOfRun } from '../../src/run-records/run-facts.ts'
import { recordedRun } from '../support/recorded-run.ts'

it('the owner of a run is the one in its record', async () => {
  const { sandbox } = await recordedRun({ record: { owner: 'ada' } })
  expect(await ownerOfRun(sandbox, 'r')).toBe('ada')
})

it('a run without an owner, a run that no host knows and a text that is no run id belong to nobody', async () => {
  const { sandbox } = await recordedRun()
  for (const runId of ['r', 'unknown', '../r', ''])
    expect(await ownerOfRun(sandbox, runId), runId).toBeUndefined()
})

it('a sandbox that knows its runs is asked for the owner if it knows owners, by run ids alone', async () => {
  const { sandbox } = await recordedRun({ record: { owner: 'ada' } })
  const other = { keyIds: async () => undefined }
  expect(await ownerOfRun({ ...sandbox, runs: other }, 'r')).toBe('ada')
  const runs = { ...other, owner: async (runId: string) => `of ${runId}` }
  expect(await ownerOfRun({ ...sandbox, runs }, 'r')).toBe('of r')
  expect(await ownerOfRun({ ...sandbox, runs }, '../r')).toBeUndefined()
})
