import type { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { checkParkOptions, type ParkOptions } from '../../src/park/park-options.ts'

const nothing = async (): Promise<void> => {}
const options: ParkOptions = { folder: '/parked', afterMs: 0, sleep: nothing, wake: nothing }

const faultsOf = (more: object): unknown => {
  try {
    checkParkOptions({ ...options, ...more })
    return []
  } catch (error) {
    const { code, faults } = error as AskError
    expect(code).toBe('INVALID_REQUEST')
    return faults
  }
}

it('a sandbox is parked with what is required, and with every option', () => {
  expect(faultsOf({})).toEqual([])
  const all = {
    ...{ afterMs: 1000, wakeBeforeMs: 0, mayPark: () => true, restart: () => null, keepAlive: nothing },
    ...{ signingKeys: null, onError: () => {}, clock: createFakeClock() },
  }
  expect(faultsOf(all)).toEqual([])
})

it.each(['afterMs', 'wakeBeforeMs'])('the time %s is a number of milliseconds', (path) => {
  for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, '1000', null])
    expect(faultsOf({ [path]: value }), `${value}`).toEqual([{ path, expected: 'milliseconds' }])
})

it.each(['sleep', 'wake', 'mayPark', 'restart', 'keepAlive', 'onError'])('%s is a function', (path) => {
  expect(faultsOf({ [path]: 'now' })).toEqual([{ path, expected: 'a function' }])
})

it('an option that does not exist is refused', () => {
  expect(faultsOf({ after: 1000 })).toMatchObject([{ path: 'after' }])
  expect(faultsOf({ clock: {} })).toMatchObject([{ path: 'clock' }])
})
