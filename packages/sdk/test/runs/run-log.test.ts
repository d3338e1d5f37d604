import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readEnding } from '../../src/runs/run-log.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

it('the reason at the end of a log keeps letters of all languages', async () => {
  const { workdir, files } = await tempSandbox()
  const error = { type: 'error', errorText: 'Kein Geld für das Modell 👋' }
  await writeFile(join(workdir, 'log'), `data: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`)
  expect(await readEnding(files, 'log')).toEqual({ state: 'failed', reason: error.errorText })
})
