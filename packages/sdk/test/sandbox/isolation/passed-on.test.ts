import { expect, it } from 'vitest'
import { defined, passedOn } from '../../../src/sandbox/isolation/isolated-launch.ts'

it('only variables for programs, language and terminal pass into a sandbox', () => {
  const environment = {
    PATH: '/bin',
    LC_ALL: 'C',
    TERM: undefined,
    API_KEY: 'secret',
    MY_PATH: '/x',
    PATHS: '/y',
  }
  expect(passedOn(environment)).toEqual({ PATH: '/bin', LC_ALL: 'C' })
})

it('variables without a value are left out, and empty ones stay', () => {
  expect(defined({ A: '', B: undefined, C: 'c' })).toEqual({ A: '', C: 'c' })
})
