import { AskError } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { displayOf, failureOf, rememberedNote, sendable, undispatched } from '../../src/lib/result-text.ts'

it('a result of a quarter of a mebibyte is sent, and a longer one is not', () => {
  const longest = 'ä'.repeat((256 * 1024 - 2) / 2)
  expect(sendable(longest)).toBe(longest)
  expect(sendable(`${longest}a`)).toMatch(/^Error: It is done, but/)
  // As JSON, each line break is two bytes.
  expect(sendable('\n'.repeat(200 * 1024))).toMatch(/^Error: /)
})

it('the model reads why a call failed only where that was meant for it', () => {
  expect(failureOf(new Error('secret'))).toBe('Error: The operation failed.')
  expect(failureOf('secret')).toBe('Error: The operation failed.')
  expect(failureOf(new AskError('FORBIDDEN', 'Not this file'))).toBe('Error: Not this file')
  expect(failureOf(new AskError('INVALID_QUESTIONS', 'secret'))).toBe(
    'Error: User choice flow failed. Please try again.',
  )
})

it('the model reads whether a call that was not confirmed may have been made', () => {
  const look = 'It may have taken it all the same: look before you try again.'
  expect(undispatched({ kind: 'refused', status: 404 })).toBe('Error: The tool refused this call (HTTP 404).')
  expect(undispatched({ kind: 'unreachable' })).toBe('Error: The tool could not be reached.')
  expect(undispatched({ kind: 'uncertain' })).toBe(`Error: The tool did not confirm this call. ${look}`)
  expect(undispatched({ kind: 'uncertain', status: 502 })).toBe(
    `Error: The tool failed when it was called (HTTP 502). ${look}`,
  )
})

describe('what people see of a remembered choice', () => {
  const decision = {
    operation: 'write',
    scope: '/srv "a"',
    userId: null,
    label: 'Yes',
    decidedAt: '2026-01-01T00:00:00.000Z',
    path: 'decisions/a.json',
  }

  it('says what was chosen, where and when, and how to undo it', () => {
    expect(displayOf('Written.', rememberedNote(decision)).split('\n')).toEqual([
      'Written.',
      'Nobody was asked: "Yes" was chosen for "/srv \\"a\\"" in this conversation on 2026-01-01T00:00:00.000Z.',
      'The tool keeps that in decisions/a.json. To be asked again, close the conversation or have the tool forget it.',
    ])
  })

  it('has at most 200 characters of the result', () => {
    const first = (result: string) => displayOf(result, rememberedNote(decision)).split('\n')[0]
    expect(first('a'.repeat(200))).toBe('a'.repeat(200))
    expect(first('a'.repeat(201))).toBe(`${'a'.repeat(200)}…`)
  })
})
