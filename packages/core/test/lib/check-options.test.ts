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
})
