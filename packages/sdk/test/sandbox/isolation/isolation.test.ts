import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isolationOf, sayOnce } from '../../../src/sandbox/isolation/isolation.ts'
import { canIsolate } from '../../support/isolated.ts'

const agent = { name: 'agent', uid: 65_534, gid: 65_534 }

it('programs that are not isolated may still run as another user, which is said first', async () => {
  const reason = 'Programs are not isolated: that is how it was asked for'
  expect(await isolationOf('none')).toEqual({ level: 'none', reason })
  expect(await isolationOf('none', agent)).toEqual({
    level: 'none',
    reason: `Programs run as the user agent, who cannot write answers. ${reason}`,
    agentUser: 'agent',
  })
})

describe.runIf(canIsolate)('programs that are isolated', () => {
  it.each([
    ['linux', 'bubblewrap'],
    ['darwin', 'Seatbelt'],
  ])('are so on %s by %s', async (platform, mechanism) => {
    const own = process.platform
    Object.defineProperty(process, 'platform', { value: platform })
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: own }))
    for (const level of ['strict', 'auto'] as const)
      expect(await isolationOf(level)).toEqual({
        level: 'strict',
        reason: expect.stringMatching(
          `^Programs are isolated by ${mechanism}: without the network .* variables, except .*hosts.*env.*isolation\\.md`,
        ),
      })
  })
})

it('each reason is said once in a process', () => {
  const say = vi.fn()
  for (const reason of ['one reason', 'one reason', 'another reason']) sayOnce({ level: 'none', reason }, say)
  expect(say.mock.calls).toEqual([['one reason'], ['another reason']])
})
