import { AskError } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { notePeer, refuseOtherMachines } from '../../src/http/access.ts'

const request = () => new Request('http://localhost/')

function refusal(...[from, peerAddress]: Parameters<typeof refuseOtherMachines>): AskError | null {
  try {
    refuseOtherMachines(from, peerAddress)
    return null
  } catch (error) {
    if (error instanceof AskError) return error
    throw error
  }
}

describe('the address of a caller', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])('%s is on this machine', (address) => {
    expect(refusal(notePeer(request(), address))).toBeNull()
  })

  it.each(['126.0.0.1', '128.0.0.1', '192.0.2.1', '::2', '::ffff:192.0.2.1', 'localhost', ''])(
    '%j is not',
    (address) => {
      expect(refusal(notePeer(request(), address))).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.not.stringContaining('does not know'),
      })
    },
  )

  it('is that of the socket, or else what the host says', () => {
    expect(refusal(notePeer(request(), '127.0.0.1'), () => '192.0.2.1')).toBeNull()
    expect(refusal(notePeer(request(), undefined), () => '127.0.0.1')).toBeNull()
    expect(refusal(request(), () => '192.0.2.1')).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('must be known', () => {
    const unknown = { code: 'FORBIDDEN', message: expect.stringContaining('does not know who asks') }
    expect(refusal(request())).toMatchObject(unknown)
    expect(refusal(notePeer(request(), undefined))).toMatchObject(unknown)
    expect(refusal(request(), () => undefined)).toMatchObject(unknown)
  })
})
