import type { query, SDKMessage, SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { describe, expect, it } from 'vitest'
import { holdSession } from '../../../src/agents/claude/session.ts'

const result = (more: object = {}) =>
  ({ type: 'result', subtype: 'success', is_error: false, result: '', ...more }) as SDKMessage

/** A session that plays these messages, and ends when the user's side is closed or the session aborted. */
function createSession(messages: readonly SDKMessage[], { failure }: { failure?: Error } = {}) {
  const abortController = new AbortController()
  const heard: unknown[] = []
  const fake = ({ prompt }: { prompt: AsyncIterable<SDKUserMessage> }) => {
    const played = (async function* () {
      yield* messages
      const { signal } = abortController
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve())
      })
      const listening = (async () => {
        for await (const { message } of prompt) heard.push(message.content)
      })()
      await Promise.race([listening, aborted])
      if (failure) throw failure
    })()
    return Object.assign(played, { initializationResult: async () => ({}) })
  }
  const hold = (say: Parameters<typeof holdSession>[0]['say']) =>
    holdSession({
      query: fake as unknown as typeof query,
      options: { abortController },
      say,
      onMessage: async () => {},
    })
  return { hold, heard, stop: () => abortController.abort() }
}

describe('holdSession', () => {
  it('keeps the user’s side open until no turn is left', async () => {
    const { hold, heard } = createSession([result({ queued_turn_count: 1 }), result()])
    await hold(async () => 'Go')
    expect(heard).toEqual(['Go'])
  })

  it('says nothing to a session that ended meanwhile', async () => {
    const { hold, heard, stop } = createSession([])
    let answer = (_: string): void => {}
    const held = hold(() => new Promise<string>((resolve) => (answer = resolve)))
    await new Promise((resolve) => setImmediate(resolve))
    stop()
    await new Promise((resolve) => setImmediate(resolve))
    answer('Too late')
    await held
    expect(heard).toEqual([])
  })

  it('ends a session in which nothing is left to say', async () => {
    const { hold, heard } = createSession([])
    await hold(async () => null)
    expect(heard).toEqual([])
  })

  it('knows whether the binary makes a deferred call again', async () => {
    const seen: boolean[] = []
    for (const messages of [[], [{ type: 'command_lifecycle', state: 'started' } as unknown as SDKMessage]])
      await createSession(messages).hold(async (isMadeAgain) => {
        seen.push(await isMadeAgain())
        return null
      })
    expect(seen).toEqual([false, true])
  })

  it('fails with what the session said, rather than with how its process ended', async () => {
    const failure = new Error('exit code 1')
    const said = result({ is_error: true, result: 'Not logged in' })
    const limit = result({ subtype: 'error_max_turns', errors: [] })
    await expect(createSession([said], { failure }).hold(async () => '')).rejects.toThrow('Not logged in')
    await expect(createSession([limit], { failure }).hold(async () => '')).rejects.toThrow('error_max_turns')
    const listed = result({ subtype: 'error_during_execution', errors: ['No disk', 'No memory'] })
    await expect(createSession([listed], { failure }).hold(async () => '')).rejects.toThrow(
      /^No disk\nNo memory$/,
    )
    await expect(createSession([result()], { failure }).hold(async () => '')).rejects.toThrow('exit code 1')
  })

  it('ends when what the user says cannot be had', async () => {
    await expect(createSession([]).hold(() => Promise.reject(new Error('disk full')))).rejects.toThrow(
      'disk full',
    )
  })
})
