import { submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { registerLog } from '../src/log.ts'
import { answer, workspace } from './workspace.ts'

it('the log tells what happened to a question, without texts of people', async () => {
  const lines: [string, object, string][] = []
  const writer = (level: string) => (facts: object, message: string) =>
    void lines.push([level, facts, message])
  onTestFinished(registerLog({ debug: writer('debug'), info: writer('info'), warn: writer('warn') }))
  const { ask, sandbox } = await workspace()
  const { asked, outcome } = ask()
  await asked
  await submitAnswer(sandbox, { ...answer, status: 'pending' })
  await submitAnswer(sandbox, answer)
  await expect(submitAnswer(sandbox, { ...answer, status: 'declined' })).rejects.toThrow()
  await outcome
  expect(lines.map(([level, , message]) => `${level} ${message}`)).toEqual(
    expect.arrayContaining([
      'debug ask: begins',
      'debug ask: asked',
      'debug store: found',
      'debug store: done',
      'info store: done',
      'warn store: failed',
      'debug ask: answered',
      'info ask: done',
    ]),
  )
  const done = lines.find(([, , message]) => message === 'ask: done')
  expect(done?.[1]).toMatchObject({ toolCallId: 'call_1', runId: 'run_1', questions: 1, outcome: 'answered' })
  expect(lines.find(([level]) => level === 'warn')?.[1]).toMatchObject({
    toolCallId: 'call_1',
    code: expect.any(String),
  })
  expect(JSON.stringify(lines)).not.toMatch(/Python|Which language/)
})
