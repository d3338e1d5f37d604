import { expect, it } from 'vitest'
import { routeOf } from '../../src/lib/route.ts'

it.each([
  ['https://a.example/api/inbox/questions?limit=1', 'questions'],
  ['https://a.example/api/inbox/questions/?limit=1', 'questions'],
  ['https://a.example/questions//', 'questions'],
  ['https://a.example/a?b=/c', 'a'],
])('the route of %s is its last part', (url, name) => {
  expect(routeOf({ method: 'POST', url })).toEqual({ method: 'POST', name })
})

it('HEAD has the route of GET', () => {
  expect(routeOf({ method: 'HEAD', url: 'https://a.example/key' })).toEqual({ method: 'GET', name: 'key' })
})
