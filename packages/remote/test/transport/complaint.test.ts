import { expect, it } from 'vitest'
import { createComplaint } from '../../src/transport/complaint.ts'

it('a sentence gets the last line of an error output', () => {
  const { add, addedTo } = createComplaint()
  expect(addedTo('It ended')).toBe('It ended')
  add(' \n')
  expect(addedTo('It ended')).toBe('It ended')
  add('first\nsec')
  add('ond  \n\n')
  expect(addedTo('It ended')).toBe('It ended: second')
})

it('only the end of a long output is kept', () => {
  const { add, addedTo } = createComplaint()
  add('x'.repeat(3000))
  add('yes')
  expect(addedTo('')).toBe(`: ${'x'.repeat(1997)}yes`)
})
