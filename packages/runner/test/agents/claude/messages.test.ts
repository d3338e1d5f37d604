import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { describe, expect, it } from 'vitest'
import { createMessageWriter } from '../../../src/agents/claude/messages.ts'
import { CallWriter } from '../../../src/run/call-writer.ts'
import { recordUi } from '../../ui-recorder.ts'

const event = (fields: object, parent: string | null = null) =>
  ({ type: 'stream_event', event: fields, parent_tool_use_id: parent }) as SDKMessage
const begin = (id: string) => event({ type: 'message_start', message: { id } })
const block = (index: number, content_block: object) =>
  event({ type: 'content_block_start', index, content_block })
const piece = (index: number, delta: object) => event({ type: 'content_block_delta', index, delta })
const stop = (index: number) => event({ type: 'content_block_stop', index })
const assistant = (id: string, content: object[], parent: string | null = null) =>
  ({ type: 'assistant', message: { id, content }, parent_tool_use_id: parent }) as SDKMessage
const results = (content: object[], tool_use_result?: unknown) =>
  ({ type: 'user', message: { content }, tool_use_result, parent_tool_use_id: null }) as SDKMessage
const bash = { type: 'tool_use', id: 'b', name: 'Bash', input: { command: 'ls' } }
const ask = { type: 'tool_use', id: 'a', name: 'AskUserQuestion', input: { questions: [] } }

/** What is shown of messages, as one word and what counts for each chunk. */
async function shown(messages: SDKMessage[], asked: string[] = []) {
  const { ui, chunks } = recordUi()
  const calls = new CallWriter(ui)
  const writer = createMessageWriter(ui, calls, async (id) => {
    if (asked.includes(id)) await calls.end(id, { output: 'answered' })
    return asked.includes(id)
  })
  for (const message of messages) await writer.write(message)
  await writer.end()
  return chunks().map(({ type, delta, inputTextDelta, toolCallId, output, errorText }) =>
    [type, delta ?? inputTextDelta ?? toolCallId, output ?? errorText].filter((part) => part !== undefined),
  )
}

describe('createMessageWriter', () => {
  it('shows what came piece by piece once, though it comes again as a whole', async () => {
    expect(
      await shown([
        begin('m'),
        block(0, { type: 'text', text: '' }),
        piece(0, { type: 'text_delta', text: 'Hello' }),
        assistant('m', [{ type: 'text', text: 'Hello' }]),
        stop(0),
        block(1, bash),
        piece(1, { type: 'input_json_delta', partial_json: '{"command"' }),
        assistant('m', [bash]),
        stop(1),
      ]),
    ).toEqual([
      ['start-step'],
      ['text-start'],
      ['text-delta', 'Hello'],
      ['text-end'],
      ['tool-input-start', 'b'],
      ['tool-input-delta', '{"command"'],
      ['tool-input-available', 'b'],
      ['finish-step'],
    ])
  })

  it('shows a message that comes as a whole alone', async () => {
    const whole = [
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'Not logged in' },
    ]
    expect((await shown([assistant('m', whole)])).map(([type]) => type)).toEqual([
      'start-step',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
    ])
  })

  it('closes what a broken message left open before the next one', async () => {
    const types = await shown([
      begin('m1'),
      block(0, { type: 'text', text: '' }),
      piece(0, { type: 'text_delta', text: 'Hel' }),
      begin('m2'),
    ])
    expect(types.map(([type]) => type)).toEqual([
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'start-step',
      'finish-step',
    ])
  })

  it('shows no thoughts that the model keeps to itself, and no blocks that it does not know', async () => {
    expect(
      await shown([
        begin('m'),
        block(0, { type: 'thinking', thinking: '', signature: '' }),
        piece(0, { type: 'signature_delta', signature: 's' }),
        stop(0),
        block(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
        piece(1, { type: 'input_json_delta', partial_json: '{}' }),
        stop(1),
      ]),
    ).toEqual([['start-step'], ['finish-step']])
  })

  it('ends a call with what it gave, or with what the model reads of a failure', async () => {
    const failed = {
      type: 'tool_result',
      tool_use_id: 'b',
      is_error: true,
      content: [{ type: 'text', text: 'No' }],
    }
    const worked = { type: 'tool_result', tool_use_id: 'b', content: 'a.txt' }
    const last = async (...given: SDKMessage[]) => (await shown([assistant('m', [bash]), ...given])).at(-1)
    expect(await last(results([worked], { stdout: 'a.txt' }))).toEqual([
      'tool-output-available',
      'b',
      { stdout: 'a.txt' },
    ])
    expect(await last(results([worked]))).toEqual(['tool-output-available', 'b', 'a.txt'])
    expect(await last(results([failed], 'Error: No'))).toEqual(['tool-output-error', 'b', 'No'])
  })

  it('leaves out the end of a call that an earlier run had shown', async () => {
    expect(await shown([results([{ type: 'tool_result', tool_use_id: 'old', content: 'x' }])])).toEqual([])
  })

  it('leaves the call of a question to whoever asks it, and shows one that was refused unasked', async () => {
    const result = results([{ type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'Invalid' }])
    expect(await shown([assistant('m', [ask]), result], ['a'])).toEqual([])
    expect(await shown([assistant('m', [ask]), result])).toEqual([
      ['tool-input-start', 'a'],
      ['tool-input-available', 'a'],
      ['tool-output-error', 'a', 'Invalid'],
    ])
  })

  it('shows the calls of a subagent without its words', async () => {
    expect(
      await shown([
        event({ type: 'message_start', message: { id: 's' } }, 'parent'),
        assistant('s', [{ type: 'text', text: 'I am one' }, bash], 'parent'),
      ]),
    ).toEqual([
      ['tool-input-start', 'b'],
      ['tool-input-available', 'b'],
    ])
  })

  it('shows thoughts that are streamed, and gives each block an id of its own', async () => {
    const { ui, events, chunks } = recordUi()
    const writer = createMessageWriter(ui, new CallWriter(ui), async () => false)
    for (const message of [
      begin('m'),
      block(0, { type: 'thinking', thinking: '' }),
      piece(0, { type: 'thinking_delta', thinking: 'H' }),
      piece(0, { type: 'thinking_delta', thinking: 'm' }),
      stop(0),
      block(1, { type: 'text', text: '' }),
      piece(1, { type: 'text_delta', text: 'Hi' }),
      piece(7, { type: 'text_delta', text: 'lost' }),
      stop(1),
      event({ type: 'message_stop' }),
    ])
      await writer.write(message)
    expect(chunks().map(({ type, delta }) => (delta === undefined ? type : delta))).toEqual([
      'start-step',
      'reasoning-start',
      'H',
      'm',
      'reasoning-end',
      'text-start',
      'Hi',
      'text-end',
    ])
    const ids = [...events.join('').matchAll(/"(?:text|reasoning)-start","id":"([^"]*)"/g)]
    expect(ids.map(([, id]) => id)).toEqual(['m-1', 'm-2'])
  })

  it('writes facts about the session and its result, and nothing of other messages', async () => {
    const usage = {
      input_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 2,
    }
    const { ui, chunks } = recordUi()
    const writer = createMessageWriter(ui, new CallWriter(ui), async () => false)
    for (const message of [
      { type: 'system', subtype: 'status' },
      { type: 'system', subtype: 'init', session_id: 's', model: 'm' },
      { type: 'result', subtype: 'success', session_id: 's', usage, total_cost_usd: 1, duration_ms: 2 },
    ])
      await writer.write(message as unknown as SDKMessage)
    expect(chunks()).toMatchObject([
      { type: 'message-metadata', messageMetadata: { sessionId: 's', model: 'm' } },
      { type: 'message-metadata', messageMetadata: { usage: { totalTokens: 3 }, costUsd: 1 } },
    ])
    expect(chunks()).toHaveLength(2)
  })

  it('gives the texts of a result line by line, and names its other parts', async () => {
    const other = { ...bash, id: 'c' }
    const content = [{ type: 'text', text: 'one' }, { type: 'image' }, { type: 'text', text: 'two' }]
    const given = results(
      [
        { type: 'tool_result', tool_use_id: 'b', content },
        { type: 'text', text: 'between' },
        { type: 'tool_result', tool_use_id: 'c' },
      ],
      { stdout: 'of which?' },
    )
    expect((await shown([assistant('m', [bash, other]), given])).slice(-2)).toEqual([
      ['tool-output-available', 'b', 'one\n[image]\ntwo'],
      ['tool-output-available', 'c', ''],
    ])
    const words = { type: 'user', message: { content: 'Go' }, parent_tool_use_id: null } as SDKMessage
    expect(await shown([words])).toEqual([])
  })
})
