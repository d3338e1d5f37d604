import { expect, it } from 'vitest'
import { invalid } from '../../src/internal.ts'

it('an error with long faults still says how many others there are', () => {
  const faults = Array.from({ length: 7 }, (_, index) => ({
    path: `${index}`.repeat(400),
    expected: 'another value '.repeat(30),
  }))
  const { message } = invalid('INVALID_FILE', 'notices.json has no settings of notices', faults)
  expect(message).toMatch(/^notices\.json has no settings of notices: 0000.*…; and 4 more$/)
  expect(message.length).toBeLessThan(2100)
})
