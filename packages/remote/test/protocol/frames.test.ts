import { expect, it, onTestFinished, vi } from 'vitest'
import {
  type FromRelay,
  frameText,
  helloIn,
  parseFromRelay,
  parseToRelay,
  type ToRelay,
} from '../../src/protocol/frames.ts'

const REFUSED = expect.objectContaining({ code: 'INVALID_REQUEST' })

it.each<ToRelay>([
  { id: 1, call: 'read', args: { path: 'a' } },
  { id: 1, call: 'read', args: null, again: true },
  { id: 2, input: { end: true } },
  { id: 2, taken: 0 },
  { id: Number.MAX_SAFE_INTEGER, cancel: true },
  { ping: true },
])('a relay takes %j', (frame) => expect(parseToRelay(frameText(frame))).toEqual(frame))

it.each<FromRelay>([
  { id: 1, event: ['a'] },
  { id: 1, value: null },
  { id: 1, error: { message: 'x', code: 'CONFLICT', facts: { a: 1, b: 'c', d: true }, system: 'EIO' } },
  { pong: true },
])('a host takes %j', (frame) => expect(parseFromRelay(frameText(frame))).toEqual(frame))

it.each([
  'no JSON',
  '[]',
  '{"id":1}',
  '{"id":0,"taken":1}',
  '{"id":1.5,"taken":1}',
  '{"id":"1","cancel":true}',
  '{"ping":false}',
  '{"id":0,"call":"read","args":{}}',
  '{"id":1,"call":7,"args":{}}',
])('a relay refuses %s', (line) => expect(() => parseToRelay(line)).toThrow(REFUSED))

it.each([
  'no JSON',
  '{"id":1}',
  '{"id":0,"value":1}',
  '{"pong":false}',
  '{"id":-1,"event":1}',
  '{"id":0,"error":{"message":"x"}}',
])('a host refuses %s', (line) => expect(() => parseFromRelay(line)).toThrow(REFUSED))

it.each([
  ['brackets', '['.repeat(20_000)],
  ['objects', `[${'{},'.repeat(5_000)}0]`],
  ['names', `[${'"a",'.repeat(11_000)}0]`],
])('a host refuses a line of too many %s before it parses it', (_, value) => {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  expect(() => parseFromRelay(`{"id":1,"value":${value}}`)).toThrow(REFUSED)
  expect(parse).not.toHaveBeenCalled()
})

it('a text may hold as many brackets and quotes as it wants', () => {
  const value = '["\\,{}:'.repeat(20_000)
  expect(parseFromRelay(frameText({ id: 1, value }))).toEqual({ id: 1, value })
  const event = Array.from({ length: 1000 }, (_, index) => `f${index}`)
  expect(parseFromRelay(frameText({ id: 1, event }))).toEqual({ id: 1, event })
})

it.each([
  { message: 7 },
  { message: 'x', code: 7 },
  { message: 'x', system: 'E'.repeat(101) },
  { message: 'x', facts: { list: [] } },
  { message: 'x', facts: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1])) },
])('a host refuses the error %j', (error) =>
  expect(() => parseFromRelay(JSON.stringify({ id: 1, error }))).toThrow(REFUSED),
)

it('a host says what an error has too many of', () => {
  const facts = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1]))
  expect(() => parseFromRelay(JSON.stringify({ id: 1, error: { message: 'x', facts } }))).toThrow(
    expect.objectContaining({ faults: [{ path: 'error.facts', expected: 'at most 20 facts' }] }),
  )
})

it('a relay is known by its hello', () => {
  const hello = { sandagent: 'relay', protocol: 1, version: '1.2.3' } as const
  expect(helloIn(frameText(hello))).toEqual(hello)
  for (const line of [
    'Welcome!',
    'null',
    '{"sandagent":"start","protocol":1,"version":"1"}',
    '{"sandagent":"relay","protocol":"1","version":"1"}',
    '{"sandagent":"relay","protocol":-1,"version":"1"}',
    JSON.stringify({ ...hello, version: '1'.repeat(101) }),
  ])
    expect(helloIn(line), line).toBeNull()
})
