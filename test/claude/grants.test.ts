import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { startGrants } from '@sandagent/grants'
import { createAnswerHandler, type QuestionView, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call } from '../support/models/messages-api.ts'

const bash = (command: string) => call('Bash', { command, description: 'Work on files' })
const ALLOWED = { permission: { selected: ['allow-once'], source: 'human' as const } }

it('Claude is asked once for commands that start alike, and again for one with an operator', async () => {
  const [first, second, third] = [bash('touch one.txt'), bash('touch two.txt'), bash('touch x && rm one.txt')]
  const { api, sandbox, start, answer, asked } = await createClaudeWorkspace([[first], [second], [third]])
  const ending = new AbortController()
  const grants = startGrants({
    folder: join(await tempDir(), 'grants'),
    sandboxes: [{ id: 'shop', name: 'The shop', sandbox }],
    signal: ending.signal,
  })
  onTestFinished(async () => {
    ending.abort()
    await grants.ended
  })
  const run = start()
  await asked(first.id)
  const { scopes = [] } = await viewOf(first.id)
  const covers = 'Every command that starts with `touch`, until this run ends.'
  const scope = scopes.find((each) => each.covers === covers)?.id
  await submitAnswer(
    sandbox,
    { toolCallId: first.id, responses: ALLOWED, status: 'completed', scope },
    { answeredBy: 'ada', grants },
  )
  expect((await viewOf(third.id)).asksAgain).toBe(
    'The permission for every command that starts with `touch` does not cover this: it has `&&`.',
  )
  expect(api.resultOf(second.id)).toMatchObject({ isError: false })
  await access(join(sandbox.workdir, 'two.txt'))
  await answer(third.id, { responses: { permission: { selected: ['deny'], source: 'human' } } })
  await run.ended
  expect(await readdir(sandbox.workdir)).toEqual(expect.arrayContaining(['one.txt', 'two.txt']))
  expect(await grants.list()).toMatchObject([
    {
      covers: covers.replace('this', 'its'),
      givenBy: 'ada',
      uses: { count: 1, latest: [{ toolCallId: second.id }] },
    },
  ])

  /** The question as its page sees it, once it can be answered. */
  async function viewOf(toolCallId: string): Promise<QuestionView> {
    await asked(toolCallId)
    const { GET } = createAnswerHandler({ sandbox, grants, authorize: () => ({ answeredBy: 'ada' }) })
    const response = await GET(new Request(`http://localhost/?toolCallId=${toolCallId}`))
    return (await response.json()) as QuestionView
  }
})
