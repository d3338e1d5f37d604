import type { Exact } from '@sandagent/fixtures/exact.ts'
import { expect, expectTypeOf, it } from 'vitest'
import type { createAnswerRegistry, createRespondHandler } from '../../src/agentrail/index.ts'
import {
  type AccessOptions,
  type AnswerHandlerOptions,
  type AnswerLinkOptions,
  type AnswerLinkRequest,
  type AnswerRequest,
  createAnswerHandler,
  createAnswerLink,
  LocalSandbox,
  type LocalSandboxOptions,
  listQuestions,
  listRuns,
  type PruneOptions,
  pruneRuns,
  type RunRequest,
  type SpawnOptions,
  type StartOptions,
  type StopOptions,
  type StreamRunOptions,
  type SubmitOptions,
  submitAnswer,
} from '../../src/index.ts'
import { answerFile, ask, refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

it('every optional field of what a host hands in takes undefined', () => {
  expectTypeOf<
    | Exact<AccessOptions>
    | Exact<AnswerHandlerOptions>
    | Exact<AnswerLinkOptions>
    | Exact<AnswerLinkRequest>
    | Exact<AnswerRequest>
    | Exact<LocalSandboxOptions>
    | Exact<NonNullable<Parameters<typeof listQuestions>[1]>>
    | Exact<NonNullable<Parameters<typeof listRuns>[1]>>
    | Exact<Parameters<typeof createAnswerRegistry>[0]>
    | Exact<Parameters<typeof createRespondHandler>[0]>
    | Exact<PruneOptions>
    | Exact<RunRequest>
    | Exact<SpawnOptions>
    | Exact<StartOptions>
    | Exact<StopOptions>
    | Exact<StreamRunOptions>
    | Exact<SubmitOptions>
  >().toBeNever()
})

it('an option that is undefined is the same as one that is absent', async () => {
  const { workdir } = await tempSandbox()
  const none = { readable: undefined, hosts: undefined, isolation: undefined, stateFolder: undefined }
  const sandbox = new LocalSandbox({ workdir, onIsolation: undefined, ...none })
  await ask(sandbox, 'toolu_1')
  const nothing = { signingKeys: undefined, clock: undefined }
  expect(
    await listQuestions(sandbox, {
      all: undefined,
      onWarning: undefined,
      olderRunners: undefined,
      ...nothing,
    }),
  ).toHaveLength(1)
  const link = {
    toolCallId: 'toolu_1',
    page: 'https://example.com/',
    answeredBy: undefined,
    expiresInMs: undefined,
  }
  expect(await createAnswerLink(sandbox, link, { signingKeys: undefined, clock: undefined })).toContain(
    'token=',
  )
  const answer = { toolCallId: 'toolu_1', responses: undefined, status: undefined, questionDigest: undefined }
  const answers = { 'Which language?': 'Python' }
  await submitAnswer(
    sandbox,
    { ...answer, answers, reason: undefined },
    { answeredBy: undefined, needsRecord: undefined, ...nothing },
  )
  expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ status: 'completed', answers })
  const picked = { selected: ['Python'], freeText: undefined, notes: undefined, source: 'human' as const }
  await ask(sandbox, 'toolu_2')
  await submitAnswer(sandbox, { ...answer, toolCallId: 'toolu_2', responses: { q1: picked } })
  expect(await answerFile(sandbox, 'toolu_2')).toMatchObject({ status: 'completed', answers })
  expect(await pruneRuns(sandbox, { olderThanMs: undefined, onWarning: undefined })).toEqual([])
  expect(await listRuns(sandbox, { onWarning: undefined })).toEqual([])
})

it.each([
  [
    'a value that is no function',
    () => createAnswerHandler({ sandbox: {} as never, authorize: true as never }),
  ],
  ['no options', () => (createAnswerHandler as () => unknown)()],
  ['no sandbox', () => createAnswerHandler({} as never)],
])('createAnswerHandler refuses %s as an invalid request', (_, create) => {
  expect(create).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
})

it('submitAnswer refuses a call without arguments as an invalid request', async () => {
  const submit = submitAnswer as (sandbox?: unknown) => Promise<unknown>
  expect(await refusalOf(submit())).toMatchObject({ code: 'INVALID_REQUEST' })
  expect(await refusalOf(submit(await tempSandbox()))).toMatchObject({ code: 'INVALID_REQUEST' })
})
