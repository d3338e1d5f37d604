import { createMemoryChannel, openRecord } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { viewerOf } from '../../src/policy/viewer-of.ts'

const { sandbox } = createMemoryChannel()
const state = { toolCallId: 'a', record: openRecord('a') }

it('a viewer is a person by name, or else a browser', async () => {
  const none = { policy: undefined, sandbox }
  expect(await viewerOf({ answeredBy: 'ada', browser: 'one' }, state, none)).toEqual({ answeredBy: 'ada' })
  expect(await viewerOf({ browser: 'one' }, state, none)).toEqual({ browser: 'one' })
  expect(await viewerOf({}, state, none)).toEqual({})
})

it('a viewer under a policy may answer by name or by role', async () => {
  const asked = { policy: [{ people: ['ada'], roles: ['lead'] }], sandbox }
  const rule = asked.policy[0]
  expect(await viewerOf({ answeredBy: 'ada' }, state, asked)).toMatchObject({ rule, mayAnswer: true })
  expect(await viewerOf({ answeredBy: 'bo', roles: ['lead'] }, state, asked)).toMatchObject({
    answeredBy: 'bo',
    mayAnswer: true,
  })
  expect(await viewerOf({ answeredBy: 'bo' }, state, asked)).toMatchObject({ mayAnswer: false })
  expect(await viewerOf({ answeredBy: 'bo' }, { toolCallId: 'a' }, asked)).toEqual({ answeredBy: 'bo' })
})
