import type { RunState } from '@sandagent/sdk'
import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { type Facts, planOf, type Wish } from '../src/plan.ts'

const user = (id: string, text = id): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const reply = (id: string): UIMessage => ({ ...user(id), role: 'assistant' })

const [u1, a1, u2] = [user('u1'), reply('a1'), user('u2')]

/** The facts of a chat whose last reply is to this message. */
const facts = (state: RunState, to: string, saved: UIMessage[], isLogged = state !== 'running'): Facts => ({
  run: { state, metadata: { message: to } },
  isLogged,
  saved,
})
const sent = (message: UIMessage): Wish => ({ message, isAgain: false })
const again = (message: UIMessage): Wish => ({ message, isAgain: true })
const opened: Wish = { isAgain: false }
const conflict = expect.objectContaining({ code: 'CONFLICT' })

describe('a message', () => {
  it('is replied to when it is new', () => {
    const plan = { kind: 'reply', keepsCut: false }
    expect(planOf(sent(u1), { run: null, isLogged: false, saved: [] })).toEqual({ ...plan, message: u1 })
    for (const state of ['finished', 'failed'] as const)
      expect(planOf(sent(u2), facts(state, 'u1', [u1, a1]))).toEqual({ ...plan, message: u2 })
  })

  it('that comes twice gets the same reply, while it is written and afterwards', () => {
    expect(planOf(sent(u1), facts('running', 'u1', [u1]))).toEqual({ kind: 'stream' })
    expect(planOf(sent(u1), facts('running', 'u1', []))).toEqual({ kind: 'stream' })
    expect(planOf(sent(u1), facts('running', 'u1', [u1, a1], true))).toEqual({ kind: 'stream' })
    expect(planOf(sent(u1), facts('finished', 'u1', [u1, a1]))).toEqual({ kind: 'stream' })
  })

  it('that comes long after its reply changes nothing', () => {
    const saved = [u1, a1, u2, reply('a2')]
    expect(() => planOf(sent(u1), facts('finished', 'u2', saved))).toThrow(conflict)
    expect(() => planOf(sent(u1), { run: null, isLogged: false, saved })).toThrow(conflict)
  })

  it('without a reply gets one, although the records of runs were removed', () => {
    const saved = [u1, a1, u2]
    expect(planOf(sent(u2), { run: null, isLogged: false, saved })).toMatchObject({ kind: 'reply' })
  })

  it('is refused while the reply to another one is written', () => {
    expect(() => planOf(sent(u2), facts('running', 'u1', [u1]))).toThrow(conflict)
    expect(() => planOf(sent(user('u1', 'edited')), facts('running', 'u1', [u1]))).toThrow(conflict)
  })

  it('waits for the end of a reply that is in its log', () => {
    for (const wish of [sent(u2), again(u1), sent(user('u1', 'edited'))])
      expect(planOf(wish, facts('running', 'u1', [u1, a1], true))).toEqual({ kind: 'wait' })
  })

  it('gets another reply when the user wants it or has changed it', () => {
    const edited = user('u1', 'edited')
    for (const wish of [again(u1), sent(edited)])
      expect(planOf(wish, facts('finished', 'u1', [u1, a1]))).toMatchObject({ kind: 'reply' })
    expect(planOf(again(u1), facts('running', 'u1', [u1]))).toEqual({ kind: 'stream' })
  })

  it('goes on with the reply that was cut, if it is the same', () => {
    for (const wish of [sent(u1), again(u1)])
      expect(planOf(wish, facts('crashed', 'u1', [u1], false))).toEqual({ kind: 'finish', message: u1 })
  })

  it('keeps what was said before a reply to another one was cut or stopped', () => {
    for (const state of ['crashed', 'stopped'] as const)
      expect(planOf(sent(u2), facts(state, 'u1', [u1]))).toMatchObject({ kind: 'reply', keepsCut: true })
  })
})

describe('a page that is opened', () => {
  it('sees the reply that is written', () => {
    expect(planOf(opened, facts('running', 'u1', [u1]))).toEqual({ kind: 'stream' })
  })

  it('finishes a reply that was cut', () => {
    expect(planOf(opened, facts('crashed', 'u1', [u1], false))).toEqual({ kind: 'finish', message: u1 })
  })

  it.each([
    ['of a new chat', { run: null, isLogged: false, saved: [] }],
    ['of a finished reply', facts('finished', 'u1', [u1, a1])],
    ['of a reply that was stopped', facts('stopped', 'u1', [u1])],
    ['of a reply that was saved before its server was killed', facts('crashed', 'u1', [u1, a1], false)],
  ])('has nothing to wait for: %s', (_, known) => {
    expect(planOf(opened, known)).toEqual({ kind: 'nothing' })
  })
})
