import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { replyToBootstrap, uploadedRelay } from '../../src/connection/uploaded-relay.ts'

it.each(['{"toString":[]}', '"\\u001b[2Jv1"', '[]', 'null'])(
  'a host refuses the Node of a sandbox as too old, whose version is %s',
  (node) => {
    const reply = replyToBootstrap()
    expect(() => reply(`{"sandagent":"start","node":${node}}`)).toThrow(
      /^Node\.js (?:\(unknown\)|v1) is too old/,
    )
  },
)

describe('the bootstrap of a relay', () => {
  const [, , , hash, size] = uploadedRelay('node')
  const line = (facts: object) => JSON.stringify({ sandagent: 'start', ...facts })

  it('gets the relay once for each connection, if it asks for this one', () => {
    expect(uploadedRelay('/opt/node').slice(0, 2)).toEqual(['/opt/node', '-e'])
    const reply = replyToBootstrap()
    for (const other of ['Welcome!', line({}), line({ wants: 'other' }), `${line({ wants: hash })}x`])
      expect(reply(other), other).toBeNull()
    const bytes = reply(line({ wants: hash }))
    expect(bytes?.length).toBe(Number(size))
    expect(
      createHash('sha256')
        .update(bytes as Uint8Array)
        .digest('hex'),
    ).toBe(hash)
    expect(reply(line({ wants: hash }))).toBeNull()
    expect(replyToBootstrap()(line({ wants: hash }))).toEqual(bytes)
  })

  it('is told which Node is too old', () => {
    expect(() => replyToBootstrap()(line({ node: 'v18.1.0' }))).toThrow('Node.js v18.1.0 is too old')
  })
})
