import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { HELLO, type Reply, scriptedSandbox, valued } from '../support/remote/scripted-relay.ts'

const UNREACHABLE = { code: 'UNREACHABLE' }

describe('a relay that lies', () => {
  it.each([
    ['a number for a text', valued(7)],
    ['an event where there is none', ({ id }, say) => say(`{"id":${id},"event":"more"}\n`)],
    ['a text that is too long', valued('x'.repeat(1024 * 1024 + 1))],
  ] satisfies [string, Reply][])('fails the request that it answers with %s', async (_, reply) => {
    const { sandbox } = scriptedSandbox((request, say) =>
      request.call === 'list' ? valued(null)(request, say) : reply(request, say),
    )
    await expect(sandbox.files.read('f')).rejects.toMatchObject(UNREACHABLE)
    expect(await sandbox.files.list('.')).toEqual([])
  })

  it.each([
    ['no JSON', 'hello\n'],
    ['nothing for a value', '{"id":1}\n'],
    ['an endless line', 'x'.repeat(9 * 1024 * 1024)],
    ['a frame of another shape', '{"id":"one","value":null}\n'],
    ['an error without a message', '{"id":1,"error":{"code":"CONFLICT"}}\n'],
  ])('loses its connection by %s', async (_, text) => {
    const clock = createFakeClock()
    const { sandbox, connections } = scriptedSandbox((_request, say) => say(text), { clock })
    const read = sandbox.files.read('f').catch((error: unknown) => error)
    await vi.waitFor(() => {
      clock.advance(10_000)
      expect(connections.length).toBeGreaterThan(3)
    })
    // It does not try for ever.
    expect(await read).toMatchObject(UNREACHABLE)
    await vi.waitFor(() => {
      for (const { stdin, stdout } of connections)
        expect([stdin.destroyed, stdout.destroyed]).toEqual([true, true])
    })
  })

  it('lists no more names than a folder may have', async () => {
    const names = JSON.stringify(Array.from({ length: 1000 }, (_, index) => `f${index}`))
    const { sandbox } = scriptedSandbox(({ id }, say) => {
      for (let count = 0; count < 300; count++) say(`{"id":${id},"event":${names}}\n`)
    })
    await expect(sandbox.files.list('.')).rejects.toMatchObject(UNREACHABLE)
  })

  it('cannot fill the memory with output that nobody reads', async () => {
    const piece = JSON.stringify({ stdout: 'A'.repeat(64 * 1024) })
    const { sandbox, connections } = scriptedSandbox(({ id, call }, say) => {
      if (call !== 'spawn') return
      say(`{"id":${id},"event":{"pid":1}}\n`)
      for (let count = 0; count < 200; count++) say(`{"id":${id},"event":${piece}}\n`)
    })
    const child = await sandbox.spawn('yes')
    child.stderr.resume()
    child.stdout.resume()
    expect(await child.ended).toMatchObject({ error: UNREACHABLE })
    expect(connections).toHaveLength(1)
  })

  it.each(['FORBIDDEN', 'LINK_USED', 'UNAUTHENTICATED'])('cannot speak for the host: %s', async (code) => {
    const { sandbox } = scriptedSandbox(({ id }, say) =>
      say(`${JSON.stringify({ id, error: { code, message: 'Said by \u001b[31m the relay' } })}\n`),
    )
    const error = await sandbox.files.read('f').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toHaveProperty('code')
    expect((error as Error).message).not.toContain('\u001b')
  })

  it('cannot answer for another question, nor show a record that is none', async () => {
    const lies: Record<string, unknown> = {
      toolu_1: { toolCallId: 'toolu_2' },
      toolu_3: { toolCallId: 'toolu_3', record: JSON.stringify(openRecord('toolu_2')) },
      toolu_4: { toolCallId: 'toolu_4', record: '{"state":"open"}' },
    }
    const { sandbox } = scriptedSandbox((request, say) =>
      valued(lies[request.args.toolCallId as string])(request, say),
    )
    for (const toolCallId of Object.keys(lies))
      await expect(
        submitAnswer(sandbox, { toolCallId, status: 'declined' }, { signingKeys: null }),
      ).rejects.toMatchObject({ code: expect.stringMatching(/^(UNREACHABLE|INVALID_FILE)$/) })
  })

  it('cannot list states for questions that it did not list', async () => {
    const records = ['toolu_1', 'toolu_2'].map((toolCallId) => JSON.stringify(openRecord(toolCallId)))
    const { sandbox } = scriptedSandbox(({ id, call }, say) => {
      if (call === 'questions')
        for (const record of records) say(`${JSON.stringify({ id, event: { record } })}\n`)
      else say(`${JSON.stringify({ id, event: { index: 2, state: { toolCallId: 'toolu_9' } } })}\n`)
      say(`${JSON.stringify({ id, value: null })}\n`)
    })
    await expect(listQuestions(sandbox, { signingKeys: null })).rejects.toMatchObject(UNREACHABLE)
  })
})

describe('the beginning of a connection', () => {
  it('may have a greeting before the hello', async () => {
    const greeting = `Welcome!\r\n\n{"not":"a hello"}\nLast login: today\n${HELLO}`
    const { sandbox } = scriptedSandbox(valued('text'), { greeting })
    expect(await sandbox.files.read('f')).toBe('text')
  })

  it('fails when something else than a relay talks', async () => {
    const { sandbox } = scriptedSandbox(valued('text'), { greeting: 'yes\n'.repeat(20_000) })
    await expect(sandbox.files.read('f')).rejects.toMatchObject({
      ...UNREACHABLE,
      message: expect.stringContaining('Something else than a relay answers'),
    })
  })

  it('fails when nothing is said', async () => {
    const clock = createFakeClock()
    const { sandbox, connections } = scriptedSandbox(valued('text'), { greeting: '', clock })
    const read = sandbox.files.read('f')
    await vi.waitFor(() => expect(connections).toHaveLength(1))
    await vi.waitFor(() => expect(clock.pending()).toBeGreaterThan(0))
    clock.advance(30_000)
    await expect(read).rejects.toMatchObject({
      message: expect.stringContaining('did not say hello in time'),
    })
  })
})

describe('a connection that is half open', () => {
  it('is found by a heartbeat, and a request that waits is sent again', async () => {
    const clock = createFakeClock()
    let requests = 0
    const { sandbox, connections } = scriptedSandbox(
      (request, say) => {
        if (++requests > 1) valued('text')(request, say)
      },
      { clock },
    )
    const read = sandbox.files.read('f')
    await vi.waitFor(() => expect(requests).toBe(1))
    await vi.waitFor(() => {
      clock.advance(5000)
      expect(connections).toHaveLength(2)
    })
    expect(await read).toBe('text')
  })
})
