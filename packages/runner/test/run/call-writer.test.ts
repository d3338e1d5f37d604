import { expect, it } from 'vitest'
import { CallWriter } from '../../src/run/call-writer.ts'
import { recordUi } from '../ui-recorder.ts'

const call = { toolCallId: 'a', toolName: 'Bash', input: { command: 'ls' } }

function start() {
  const { ui, chunks } = recordUi()
  const types = (): string[] => chunks().map(({ type }) => type)
  return { calls: new CallWriter(ui), chunks, types }
}

it('a call is shown once, with its pieces before its input', async () => {
  const { calls, chunks, types } = start()
  await calls.start(call)
  await calls.start(call)
  await calls.piece('a', '{"comm')
  await calls.show(call)
  await calls.show({ ...call, input: {} })
  await calls.start(call)
  await calls.piece('a', 'late')
  expect(types()).toEqual(['tool-input-start', 'tool-input-delta', 'tool-input-available'])
  expect(chunks()).toMatchObject([
    { toolCallId: 'a', toolName: 'Bash' },
    { toolCallId: 'a', inputTextDelta: '{"comm' },
    call,
  ])
})

it('a call that was not started begins when it is shown', async () => {
  const { calls, types } = start()
  await calls.show(call)
  expect(types()).toEqual(['tool-input-start', 'tool-input-available'])
})

it('a call ends with its output or its error', async () => {
  const { calls, chunks } = start()
  await calls.show(call)
  await calls.show({ ...call, toolCallId: 'b' })
  await calls.end('a', { output: { files: 1 } })
  await calls.end('b', { errorText: 'broken' })
  expect(chunks().slice(4)).toMatchObject([
    { type: 'tool-output-available', toolCallId: 'a', output: { files: 1 } },
    { type: 'tool-output-error', toolCallId: 'b', errorText: 'broken' },
  ])
})

it('the end of a call that was not shown is left out', async () => {
  const { calls, types } = start()
  await calls.start(call)
  await calls.end('a', { output: 1 })
  await calls.end('b', { errorText: 'broken' })
  expect(types()).toEqual(['tool-input-start'])
})

it('a failure of a call that has its end is left out, and an output is shown: the call has run', async () => {
  const { calls, chunks } = start()
  await calls.show(call)
  await calls.end('a', { errorText: 'The user denied it.' })
  await calls.end('a', { errorText: 'denied' })
  expect(chunks().slice(2)).toMatchObject([{ errorText: 'The user denied it.' }])
  await calls.end('a', { output: 'x' })
  expect(chunks().slice(3)).toMatchObject([{ output: 'x' }])
})

it('what is open can be ended, also a call whose input has not come', async () => {
  const { calls, chunks } = start()
  await calls.show(call)
  await calls.end('a', { output: 1 })
  await calls.show({ ...call, toolCallId: 'b' })
  await calls.start({ ...call, toolCallId: 'c' })
  await calls.endAll()
  await calls.endAll()
  const errors = chunks().filter(({ type }) => type === 'tool-output-error')
  expect(errors.map(({ toolCallId }) => toolCallId)).toEqual(['b', 'c'])
})
