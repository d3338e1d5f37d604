import type { UIMessageChunk } from 'ai'
import { expect, it } from 'vitest'
import { settled } from '../src/cut-reply.ts'

const start: UIMessageChunk[] = [{ type: 'start', messageId: 'm' }]
const step: UIMessageChunk = { type: 'start-step' }
const end: UIMessageChunk = { type: 'finish-step' }
const text = (id: string): UIMessageChunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: 'Hello' },
  { type: 'text-end', id },
]
const call = (toolCallId: string, toolName = 'measure', more = {}): UIMessageChunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input: {},
  ...more,
})
const ask = (id: string) => call(id, 'AskUserQuestion')
const result = (toolCallId: string, more = {}): UIMessageChunk => ({
  type: 'tool-output-available',
  toolCallId,
  output: '3 m',
  ...more,
})
const lost = (toolCallId: string) => ({
  type: 'tool-output-error',
  toolCallId,
  errorText: expect.stringContaining('Whether it had an effect is not known'),
})

it('a call keeps its result, and a question waits for its answer', () => {
  const said = [...start, step, ...text('t'), call('a'), ask('q'), result('a'), end, step, ask('r')]
  expect(settled(said)).toEqual({ chunks: said, isComplete: false })
})

it('a call without a result has failed', () => {
  const said = [...start, step, call('a'), call('b', 'measure', { dynamic: true }), ask('q')]
  const chunks = [...said, lost('a'), { ...lost('b'), dynamic: true }]
  expect(settled(said)).toEqual({ chunks, isComplete: false })
  expect(settled([...start, step, call('a'), result('a', { preliminary: true })]).chunks.at(-1)).toEqual(
    lost('a'),
  )
})

it('the words of a step that was cut are said again', () => {
  const whole = [...start, step, call('a'), result('a'), end]
  expect(settled([...whole, step, ...text('t').slice(0, 2)])).toEqual({ chunks: whole, isComplete: false })
  expect(settled([...start, step, ...text('t')])).toEqual({ chunks: start, isComplete: false })
})

it('beside a call that stays, half a text and half a call go', () => {
  const half: UIMessageChunk[] = [
    ...text('t').slice(0, 2),
    { type: 'tool-input-start', toolCallId: 'b', toolName: 'measure' },
    { type: 'tool-input-delta', toolCallId: 'b', inputTextDelta: '{' },
  ]
  const said = [...start, step, ...text('s'), ask('q'), ...half]
  expect(settled(said).chunks).toEqual([...start, step, ...text('s'), ask('q')])
})

it('what the provider looked up goes with its step, or stays beside a call', () => {
  const search = call('s', 'search', { providerExecuted: true })
  expect(settled([...start, step, search]).chunks).toEqual(start)
  expect(settled([...start, step, search, ask('q')]).chunks).toEqual([...start, step, ask('q')])
  const found = [...start, step, search, result('s', { providerExecuted: true }), ask('q')]
  expect(settled(found).chunks).toEqual(found)
})

it('the model reads that a call was wrong', () => {
  const wrong: UIMessageChunk = {
    type: 'tool-input-error',
    toolCallId: 'a',
    toolName: 'measure',
    input: 1,
    errorText: 'no text',
  }
  const said = [...start, step, wrong, end]
  expect(settled(said)).toEqual({ chunks: said, isComplete: false })
})

it('a reply whose last step has ended is complete, with or without its end', () => {
  const said = [...start, step, ask('q'), result('q'), end, step, ...text('t'), end]
  expect(settled(said)).toEqual({ chunks: said, isComplete: true })
  const finished: UIMessageChunk[] = [...said, { type: 'finish' }]
  expect(settled(finished)).toEqual({ chunks: finished, isComplete: true })
})

it('an error or a stop is no end of a reply that goes on', () => {
  expect(
    settled([...start, step, ask('q'), { type: 'abort' }, { type: 'error', errorText: '' }]).chunks,
  ).toEqual([...start, step, ask('q')])
})

it('without a step, nothing was said', () => {
  expect(settled([])).toEqual({ chunks: [], isComplete: false })
  expect(settled(start)).toEqual({ chunks: [], isComplete: false })
})
