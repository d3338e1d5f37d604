import { expect, it } from 'vitest'
import { createStepWriter, type StepWriter } from '../../../src/agents/claude/step.ts'
import { CallWriter } from '../../../src/run/call-writer.ts'
import { recordUi } from '../../ui-recorder.ts'

type StreamEvent = Parameters<StepWriter['take']>[0]

const event = (fields: object) => fields as StreamEvent
const begin = (id: string) => event({ type: 'message_start', message: { id } })
const block = (index: number, content_block: object) =>
  event({ type: 'content_block_start', index, content_block })
const piece = (index: number, delta: object) => event({ type: 'content_block_delta', index, delta })
const stop = (index: number) => event({ type: 'content_block_stop', index })

function written() {
  const { ui, chunks } = recordUi()
  const steps = createStepWriter(ui, new CallWriter(ui))
  const take = async (...events: StreamEvent[]) => {
    for (const each of events) await steps.take(each)
  }
  const types = () => chunks().map(({ type }) => type)
  return { steps, take, chunks, types }
}

it('texts and thoughts that come at once have ids of their own', async () => {
  const { steps, take, chunks, types } = written()
  await take(
    begin('m'),
    block(0, { type: 'thinking', thinking: '' }),
    block(1, { type: 'text', text: '' }),
    piece(0, { type: 'thinking_delta', thinking: 'Hm' }),
    piece(1, { type: 'text_delta', text: 'One' }),
    piece(1, { type: 'text_delta', text: ' two' }),
    stop(0),
    stop(1),
  )
  await steps.end()
  expect(types()).toEqual([
    'start-step',
    'reasoning-start',
    'reasoning-delta',
    'text-start',
    'text-delta',
    'text-delta',
    'reasoning-end',
    'text-end',
    'finish-step',
  ])
  const idsOf = (kind: string) =>
    new Set(chunks().flatMap(({ type, id }) => (type.startsWith(kind) ? [id] : [])))
  expect([idsOf('reasoning').size, idsOf('text').size, idsOf('').size]).toEqual([1, 1, 3])
})

it('a block that has ended takes no more pieces, and is ended once', async () => {
  const { steps, take, types } = written()
  await take(
    begin('m'),
    block(0, { type: 'text', text: '' }),
    piece(0, { type: 'text_delta', text: 'One' }),
    stop(0),
    piece(0, { type: 'text_delta', text: 'late' }),
    stop(0),
  )
  await steps.end()
  await steps.end()
  expect(types()).toEqual(['start-step', 'text-start', 'text-delta', 'text-end', 'finish-step'])
})

it('pieces without text, and pieces of other kinds, show nothing', async () => {
  const { take, types } = written()
  await take(
    begin('m'),
    block(0, { type: 'text', text: '' }),
    piece(0, { type: 'text_delta', text: '' }),
    piece(0, { type: 'citations_delta', citation: {} }),
    stop(0),
    stop(7),
    event({ type: 'message_stop' }),
  )
  expect(types()).toEqual(['start-step'])
})

it('whole texts of one message are in one step, and those of a streamed message are shown once', async () => {
  const { steps, take, types } = written()
  await steps.takeWhole('m', 'thinking', 'Hm')
  await steps.takeWhole('m', 'text', 'Hello')
  await steps.takeWhole('n', 'text', '')
  await take(begin('o'))
  await steps.takeWhole('m', 'text', 'again')
  await steps.takeWhole('o', 'text', 'streamed')
  await steps.end()
  const step = (...inner: string[]) => ['start-step', ...inner, 'finish-step']
  const text = ['text-start', 'text-delta', 'text-end']
  const thought = ['reasoning-start', 'reasoning-delta', 'reasoning-end']
  expect(types()).toEqual([...step(...thought, ...text), ...step(), ...step(), ...step(...text)])
})
