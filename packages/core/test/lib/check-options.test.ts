import { describe, expect, it } from 'vitest'
import { checkOptions } from '../../src/internal.ts'

const NAMES = { workdir: true, clock: true } as const

describe('checkOptions', () => {
  it('takes known names, also without a value', () => {
    expect(() => checkOptions('open', { workdir: '/tmp', clock: undefined }, NAMES)).not.toThrow()
    expect(() => checkOptions('open', {}, NAMES)).not.toThrow()
  })

  it('refuses every unknown name, and says which there are', () => {
    const given = { workDir: '/tmp', constructor: 1, ['__proto__']: 1 }
    expect(() => checkOptions('open', given, NAMES)).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('open: workDir: expected no such name; there are workdir, clock'),
        faults: ['workDir', 'constructor', '__proto__'].map((path) => expect.objectContaining({ path })),
      }),
    )
  })

  it.each([undefined, null, 'text', [], 5])('refuses %j, which is no object', (given) => {
    expect(() => checkOptions('open', given, NAMES)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })

  describe('looks at the kind of an option', () => {
    const names = { call: 'function', list: 'list', signal: 'signal', clock: 'clock', any: true } as const
    const clock = { now: () => 0, after: () => () => {} }

    it('and takes what fits, and what is left undefined', () => {
      const given = { call: () => {}, list: [], signal: new AbortController().signal, clock, any: 5 }
      expect(() => checkOptions('open', given, names)).not.toThrow()
      const nothing = { call: undefined, list: undefined, signal: undefined, clock: undefined }
      expect(() => checkOptions('open', nothing, names)).not.toThrow()
    })

    it.each([
      ['call', 'text', 'a function'],
      ['call', null, 'a function'],
      ['list', { length: 0 }, 'a list'],
      ['signal', new AbortController(), 'an AbortSignal'],
      ['signal', null, 'an AbortSignal'],
      ['clock', { now: clock.now }, 'a clock, with now() and after()'],
      ['clock', { after: clock.after }, 'a clock, with now() and after()'],
      ['clock', { now: 5, after: 5 }, 'a clock, with now() and after()'],
    ])('and refuses %s as %o', (path, value, expected) => {
      expect(() => checkOptions('open', { [path]: value }, names)).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', faults: [{ path, expected }] }),
      )
    })
  })

  it.each([{}, { workdir: undefined }, { workdir: '' }, { workdir: 5 }])(
    'refuses the folder in %j: an empty path would be the current one',
    (given) => {
      const fault = { path: 'workdir', expected: 'the path of a folder, such as "/workspace"' }
      expect(() => checkOptions('open', given, { workdir: 'folder' })).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', faults: [fault] }),
      )
    },
  )

  it('takes one of some words, and names them', () => {
    const names = { level: ['auto', 'none'] } as const
    expect(() => checkOptions('open', { level: 'auto' }, names)).not.toThrow()
    expect(() => checkOptions('open', {}, names)).not.toThrow()
    expect(() => checkOptions('open', { level: 'max' }, names)).toThrow(
      expect.objectContaining({ faults: [{ path: 'level', expected: 'one of auto, none' }] }),
    )
  })

  it.each([{}, { token: undefined }, { token: '' }, { token: ' ' }, { token: 5 }])(
    'refuses the secret in %j: everybody can guess it',
    (given) => {
      const fault = { path: 'token', expected: expect.stringContaining('not empty') }
      expect(() => checkOptions('open', given, { token: 'secret' })).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', faults: [fault] }),
      )
    },
  )

  it('takes a secret', () => {
    expect(() => checkOptions('open', { token: 'x' }, { token: 'secret' })).not.toThrow()
  })
})
