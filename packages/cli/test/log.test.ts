import { PassThrough } from 'node:stream'
import { reportIncident } from '@sandagent/core/internal'
import { submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { startLog } from '../src/log.ts'
import { COLOUR, createHome } from './command-process.ts'

const linesOf = (text: string): object[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

it('SANDAGENT_LOG writes what the command does, one JSON object a line', async () => {
  const home = await createHome()
  home.env.SANDAGENT_LOG = 'debug'
  const { sandbox, run } = await home.asking('r', COLOUR)
  await submitAnswer(sandbox, { toolCallId: 'r-1', answers: { 'Which colour?': 'Blue' } })
  const { code, stderr } = await run.ended
  expect(code).toBe(0)
  const lines = linesOf(stderr)
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: 'debug', msg: 'run: begins', runId: 'r', agent: 'scripted' }),
      expect.objectContaining({ level: 'debug', msg: 'ask: asked', toolCallId: 'r-1', name: 'sandagent' }),
      expect.objectContaining({ level: 'info', msg: 'ask: done', outcome: 'answered' }),
      expect.objectContaining({ level: 'info', msg: 'run: done', durationMs: expect.any(Number) }),
    ]),
  )
  expect(JSON.stringify(lines)).not.toContain('colour')
})

it('SANDAGENT_LOG prints nothing of an agent that a terminal obeys', async () => {
  const output = new PassThrough()
  const stop = startLog('debug', output)
  onTestFinished(stop)
  const toolCallId = '\u001b[2J\u009b2J\u202ecab\u2066\u0085'
  reportIncident({ name: 'warning', code: 'INVALID_FILE', message: toolCallId, toolCallId })
  const line = String(output.read())
  expect(line).toMatch(/^[\n\u0020-\u007e]*$/)
  expect(JSON.parse(line)).toMatchObject({ toolCallId })
})

it('without it, nothing is logged', async () => {
  const home = await createHome()
  const { sandbox, run } = await home.asking('r', COLOUR)
  await submitAnswer(sandbox, { toolCallId: 'r-1', answers: { 'Which colour?': 'Blue' } })
  expect(linesOf((await run.ended).stderr)).toEqual([])
})

it('a level that does not exist is wrong usage', async () => {
  const home = await createHome()
  home.env.SANDAGENT_LOG = 'loud'
  expect(await home.run('questions')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SANDAGENT_LOG takes debug, info, warn, not loud'),
  })
})
