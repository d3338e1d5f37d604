import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, parseSigningKeys, readRun } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerApi, askingRun, waitingQuestion } from '../support/remote/asking-run.ts'
import { COMMAND } from '../support/remote/piped-sandbox.ts'
import { vendorContract } from '../support/vendors/vendor-contract.ts'
import { VENDORS } from '../support/vendors/vendors.ts'

/** The whole contract is in the slow tests. */
const QUICK = [
  'a file is read as it was written, and its folders are made',
  'big outputs arrive whole, also when they are read late',
  'a program begins only after beforeStart has resolved',
  'a watch reports again after the connection was cut (needs cutAfter)',
]

describe.each(VENDORS)('a sandbox of %s, with a stand-in for its service', (_, open) => {
  for (const { name, run } of vendorContract(open)) if (QUICK.includes(name)) it(name, run)

  it('a run asks, is answered with a signature, and goes on to its end', async () => {
    const workdir = join(await tempDir(), 'workdir')
    const { sandbox } = await open({ workdir, isolation: 'none', relay: [process.execPath, COMMAND] })
    onTestFinished(() => sandbox.close())
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const { runId } = await askingRun(sandbox, { signingKeys })
    const { toolCallId } = await waitingQuestion(sandbox, signingKeys)
    const answer = { toolCallId, answers: { 'Which language?': 'Python' }, status: 'completed' }
    expect(await answerApi(sandbox, signingKeys).post(answer)).toMatchObject({ success: true })
    await vi.waitFor(async () =>
      expect(await readRun(sandbox, runId)).toMatchObject({ state: 'finished', exitCode: 0 }),
    )
  })
})
