import { describe, expect, it } from 'vitest'
import { type OnWarning, onceEach } from '../../src/answers/warnings.ts'

type Warning = Parameters<OnWarning>[0]

/** What is passed on of each warning that comes. */
function telling() {
  const told: Warning[] = []
  const tell = onceEach((warning) => told.push(warning))
  return { told, tell }
}

describe('warnings about files that are read again and again', () => {
  it('come once each: the call, the code and the message make the difference', () => {
    const { told, tell } = telling()
    const warnings: Warning[] = [
      { code: 'INVALID_FILE', message: 'a' },
      { code: 'INVALID_FILE', message: 'b' },
      { code: 'TOO_LARGE', message: 'a' },
      { code: 'INVALID_FILE', message: 'a', toolCallId: 't1' },
    ]
    for (const warning of [...warnings, ...warnings]) tell(warning)
    expect(told).toEqual(warnings)
  })

  it('are remembered up to a thousand: the oldest comes again, and a recent one does not', () => {
    const { told, tell } = telling()
    const warn = (index: number): void => tell({ code: 'FAILED', message: `${index}` })
    for (let index = 0; index <= 1000; index++) warn(index)
    expect(told).toHaveLength(1001)
    warn(1000)
    warn(1)
    expect(told).toHaveLength(1001)
    warn(0)
    expect(told).toHaveLength(1002)
  })

  it('are remembered by their beginning alone, so that long ones take little memory', () => {
    const { told, tell } = telling()
    const beginning = 'x'.repeat(1000)
    for (const end of ['a', 'b']) tell({ code: 'FAILED', message: beginning + end })
    expect(told).toEqual([{ code: 'FAILED', message: `${beginning}a` }])
  })
})
