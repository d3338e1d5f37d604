import { describe, expect, it } from 'vitest'
import { createUiStream } from '../../src/index.ts'

async function written(use: (ui: ReturnType<typeof createUiStream>) => Promise<void>): Promise<string> {
  let text = ''
  const take = (event: string) => {
    text += event
  }
  await use(createUiStream(take))
  return text
}

describe('createUiStream', () => {
  it('writes one server-sent event per chunk, and ends with [DONE]', async () => {
    const text = await written(async (ui) => {
      await ui.start('message-1')
      await ui.textDelta('t', 'two\nlines')
      await ui.done()
    })
    expect(text).toBe(
      'data: {"type":"start","messageId":"message-1"}\n\n' +
        'data: {"type":"text-delta","id":"t","delta":"two\\nlines"}\n\n' +
        'data: [DONE]\n\n',
    )
  })

  it('marks every tool chunk that needs it as dynamic and executed here', async () => {
    const call = { toolCallId: 'c', toolName: 'AskUserQuestion' }
    const text = await written(async (ui) => {
      await ui.toolInputStart(call)
      await ui.toolInputDelta('c', '{"a"')
      await ui.toolInput({ ...call, input: { a: 1 } })
      await ui.toolOutput('c', { b: 2 })
      await ui.toolError('c', 'no')
    })
    const mark = '"dynamic":true,"providerExecuted":true}'
    expect(text.trim().split('\n\n')).toEqual([
      `data: {"type":"tool-input-start","toolCallId":"c","toolName":"AskUserQuestion",${mark}`,
      'data: {"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"{\\"a\\""}',
      `data: {"type":"tool-input-available","toolCallId":"c","toolName":"AskUserQuestion","input":{"a":1},${mark}`,
      `data: {"type":"tool-output-available","toolCallId":"c","output":{"b":2},${mark}`,
      `data: {"type":"tool-output-error","toolCallId":"c","errorText":"no",${mark}`,
    ])
  })

  it('writes reasoning, and facts about the message', async () => {
    const text = await written(async (ui) => {
      await ui.reasoningStart('r')
      await ui.reasoningDelta('r', 'hm')
      await ui.reasoningEnd('r')
      await ui.metadata({ sessionId: 's' })
    })
    expect(text.trim().split('\n\n')).toEqual([
      'data: {"type":"reasoning-start","id":"r"}',
      'data: {"type":"reasoning-delta","id":"r","delta":"hm"}',
      'data: {"type":"reasoning-end","id":"r"}',
      'data: {"type":"message-metadata","messageMetadata":{"sessionId":"s"}}',
    ])
  })

  it('writes every other kind of chunk', async () => {
    const text = await written(async (ui) => {
      await ui.startStep()
      await ui.textStart('t')
      await ui.textEnd('t')
      await ui.finishStep()
      await ui.data('ask', { a: 1 })
      await ui.data('ask', null, 'd')
      await ui.error('broken')
      await ui.abort()
      await ui.finish()
    })
    expect(text.trim().split('\n\n')).toEqual([
      'data: {"type":"start-step"}',
      'data: {"type":"text-start","id":"t"}',
      'data: {"type":"text-end","id":"t"}',
      'data: {"type":"finish-step"}',
      'data: {"type":"data-ask","data":{"a":1}}',
      'data: {"type":"data-ask","data":null,"id":"d"}',
      'data: {"type":"error","errorText":"broken"}',
      'data: {"type":"abort"}',
      'data: {"type":"finish"}',
    ])
  })

  it('leaves out keys that make readers throw the whole chunk away', async () => {
    const answers = JSON.parse('{"__proto__": "a", "constructor": {"prototype": 1}, "toString": "b"}')
    const text = await written((ui) => ui.toolOutput('call_1', { answers }))
    expect(text).toContain('"output":{"answers":{"toString":"b"}}')
    const harmless = { constructor: 'a', other: { prototype: 1 } }
    expect(await written((ui) => ui.toolOutput('call_1', harmless))).toContain(
      `"output":${JSON.stringify(harmless)}`,
    )
  })

  it('goes no faster than its reader', async () => {
    let read = (): void => {}
    const ui = createUiStream(() => new Promise<void>((resolve) => (read = resolve)))
    let isWritten = false
    const writing = ui.finish().then(() => {
      isWritten = true
    })
    await Promise.resolve()
    expect(isWritten).toBe(false)
    read()
    await writing
    expect(isWritten).toBe(true)
  })
})
