import { expect, it } from 'vitest'
import { replyToBootstrap } from '../../../src/remote/connection/uploaded-relay.ts'

it.each(['{"toString":[]}', '"\\u001b[2Jv1"', '[]', 'null'])(
  'a sandbox that says %s for the version of its Node is told that it is too old',
  (node) => {
    const reply = replyToBootstrap()
    expect(() => reply(`{"sandagent":"start","node":${node}}`)).toThrow(
      /^Node\.js (?:\(unknown\)|v1) is too old/,
    )
  },
)
