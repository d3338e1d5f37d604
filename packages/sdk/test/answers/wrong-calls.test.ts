import { readdir } from 'node:fs/promises'
import { createMemoryFleet } from '@sandagent/fleet'
import { createRunnerHandler } from '@sandagent/fleet-host'
import { expect, it } from 'vitest'
import {
  createAnswerHandler,
  listQuestions,
  startRun,
  submitAnswer,
  watchQuestions,
} from '../../src/index.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const refusal = { code: 'INVALID_REQUEST', faults: [expect.objectContaining({ path: 'typo' })] }

it('LocalSandbox refuses an option that it does not have', async () => {
  await expect(tempSandbox({ typo: 1 } as never)).rejects.toMatchObject(refusal)
})

it('createAnswerHandler refuses an option that it does not have', async () => {
  const sandbox = await tempSandbox()
  expect(() => createAnswerHandler({ sandbox, typo: 1 } as never)).toThrow(expect.objectContaining(refusal))
})

it('createRunnerHandler refuses an option that it does not have', () => {
  const options = { fleet: createMemoryFleet(), typo: 1 }
  expect(() => createRunnerHandler(options as never)).toThrow(expect.objectContaining(refusal))
})

it('startRun refuses an option that it does not have before it starts anything', async () => {
  const sandbox = await tempSandbox()
  const started = startRun(sandbox, { agent: 'a', prompt: 'p' }, { typo: 1 } as never)
  await expect(started).rejects.toMatchObject(refusal)
  expect(await readdir(sandbox.workdir)).toEqual([])
})

it('submitAnswer refuses an option that it does not have before it stores anything', async () => {
  const sandbox = await tempSandbox()
  const stored = submitAnswer(sandbox, { toolCallId: 't', answers: {} }, { typo: 1 } as never)
  await expect(stored).rejects.toMatchObject(refusal)
  expect(await readdir(sandbox.workdir)).toEqual([])
})

it('submitAnswer refuses a request that names who answers, which is an option', async () => {
  const sandbox = await tempSandbox()
  const request = { toolCallId: 't', answers: {}, answeredBy: 'ada' }
  await expect(submitAnswer(sandbox, request)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    faults: [expect.objectContaining({ path: 'answeredBy' })],
  })
})

it('listQuestions and watchQuestions refuse an option that they do not have', async () => {
  const sandbox = await tempSandbox()
  await expect(listQuestions(sandbox, { typo: 1 } as never)).rejects.toMatchObject(refusal)
  const changes = watchQuestions(sandbox, { signal: new AbortController().signal, typo: 1 } as never)
  await expect(changes.next()).rejects.toMatchObject(refusal)
})
