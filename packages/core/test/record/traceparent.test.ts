import { expect, it } from 'vitest'
import { traceparentIn } from '../../src/record/traceparent.ts'

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

it.each([`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-01`, `fe-${TRACE}-${SPAN}-ff`])(
  '%s is one',
  (text) => {
    expect(traceparentIn(text)).toBe(text)
  },
)

it.each([
  undefined,
  null,
  '',
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\n`,
  `00-${TRACE}-${SPAN}-01-more`,
  ` 00-${TRACE}-${SPAN}-01`,
])('%j is no traceparent', (text) => {
  expect(traceparentIn(text)).toBeUndefined()
})
