import { expect, it } from 'vitest'
import { replyToBootstrap } from '../../../src/remote/connection/uploaded-relay.ts'

it.each(['{"toString":[]}', '"\\u001b[2Jv1"', '[]', 'null'])(
  'a host refuses the Node of a sandbox as too old, whose version is %s',
  (node) => {
    const reply = replyToBootstrap()
    expect(() => reply(`{"sandagent":"start","node":${node}}`)).toThrow(
      /^Node\.js (?:\(unknown\)|v1) is too old/,
    )
  },
)
