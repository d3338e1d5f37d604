import { type AskSession, createAskSession } from '@sandagent/core/internal'
import { sandboxOf } from '@sandagent/fixtures/channel-store.ts'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandboxTransport, type LocalSandbox, submitAnswer } from '../../src/index.ts'
import { ask, LANGUAGE, picked, settle, tempSandbox } from '../support/temp-sandbox.ts'

/** A form's session in this process, until the test ends. */
function openSession(sandbox: LocalSandbox, browser: string): AskSession {
  const transport = createSandboxTransport(sandbox, { browser })
  const part = { type: 'tool-AskUserQuestion', toolCallId: 'c', state: 'input-available', input: {} }
  const session = createAskSession(part, () => ({ transport, undoMs: 0 }))
  onTestFinished(session.start())
  return session
}

describe('createSandboxTransport', () => {
  it('shows a person their own draft again, and those of others beside it', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'c')
    const earlier = openSession(sandbox, 'mine')
    await vi.waitFor(() => expect(earlier.getSnapshot().questions).toHaveLength(1))
    earlier.select('q1', 'Python', { autoSubmit: false })
    await vi.waitFor(() => expect(earlier.getSnapshot().status).toBe('waiting'))
    const responses = { q1: picked('TypeScript') }
    await submitAnswer(sandbox, { toolCallId: 'c', responses, status: 'pending' }, { answeredBy: 'Ann' })
    const later = openSession(sandbox, 'mine')
    await vi.waitFor(() =>
      expect(later.getSnapshot()).toMatchObject({
        entered: { q1: { selected: ['Python'] } },
        others: [{ name: 'Ann', responses }],
      }),
    )
  })

  it('sends the answer, and says what became of it', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'c')
    const session = openSession(sandbox, 'mine')
    await vi.waitFor(() => expect(session.getSnapshot().questions).toHaveLength(1))
    session.select('q1', 'Python', { autoSubmit: 'immediately' })
    await vi.waitFor(() => expect(session.getSnapshot().status).toBe('sent'))
    await settle(sandbox, 'c', { responses: { q1: picked('Python') } })
    await vi.waitFor(() => expect(session.getSnapshot().status).toBe('received'))
  })

  it('tells when somebody else has answered', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'c')
    const session = openSession(sandbox, 'mine')
    await vi.waitFor(() => expect(session.getSnapshot().questions).toHaveLength(1))
    const responses = { q1: picked('TypeScript') }
    await submitAnswer(sandbox, { toolCallId: 'c', responses, status: 'completed' }, { answeredBy: 'Ann' })
    await vi.waitFor(() => expect(session.getSnapshot().status).toBe('superseded'))
    session.submit()
    expect(session.getSnapshot().responses).toEqual(responses)
  })

  it('reads a sandbox again that could not be read, and reports that', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'c', [LANGUAGE])
    const warnings: string[] = []
    let failures = 1
    const files = Object.create(sandbox.files, {
      read: {
        value: (path: string) => {
          if (path.includes('questions') && failures-- > 0)
            throw Object.assign(new Error('gone'), { code: 'EIO' })
          return sandbox.files.read(path)
        },
      },
    })
    const transport = createSandboxTransport(
      { files },
      { onWarning: ({ message }) => void warnings.push(message) },
    )
    const seen: unknown[] = []
    onTestFinished(transport.subscribe?.('c', (view) => seen.push(view)) ?? (() => {}))
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0))
    expect(warnings).toHaveLength(1)
  })
})

it('a sandbox that cannot be read is read again after a second, until nobody looks any more', async () => {
  const sandbox = await tempSandbox()
  const clock = createFakeClock()
  let looks = 0
  const { questions, runs } = sandboxOf({
    subscribe: async function* (): AsyncGenerator<never> {
      looks++
      await new Promise((resolve) => setImmediate(resolve))
      throw new Error('no disk')
    },
  })
  const warnings = vi.fn()
  const transport = createSandboxTransport({ ...sandbox, files: sandbox.files, questions, runs } as never, {
    clock,
    signingKeys: null,
    onWarning: warnings,
  })
  const stop = transport.subscribe?.('c', () => {})
  await clock.whenPending()
  clock.advance(999)
  expect([looks, clock.pending()]).toEqual([1, 1])
  clock.advance(1)
  await clock.whenPending()
  expect(looks).toBe(2)
  expect(warnings.mock.calls[0]).toMatchObject([{ code: 'UNREACHABLE', toolCallId: 'c' }])
  stop?.()
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
  clock.advance(5000)
  expect(looks).toBe(2)
})
