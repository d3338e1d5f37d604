import { expect, it } from 'vitest'
import { createWatcherIndex } from '../../src/watch/watcher-index.ts'

it('watchers are found by the names that they watch', () => {
  const index = createWatcherIndex<string>()
  expect(index.isEmpty()).toBe(true)
  index.add('f', 'ada')
  index.add('f', 'ben')
  index.add('g', 'ada')
  index.add(null, 'cleo')
  expect([index.of('f'), index.of('g'), index.of(null), index.of('h')]).toEqual([
    ['ada', 'ben'],
    ['ada'],
    ['cleo'],
    [],
  ])
  expect(index.all()).toEqual(['ada', 'ben', 'cleo'])
  expect(index.isEmpty()).toBe(false)
})

it('a name is watched until the last of its watchers goes', () => {
  const index = createWatcherIndex<string>()
  index.add('f', 'ada')
  index.add('f', 'ben')
  expect(index.remove('f', 'ada')).toBe(false)
  expect(index.of('f')).toEqual(['ben'])
  expect(index.isEmpty()).toBe(false)
  expect(index.remove('f', 'ben')).toBe(true)
  expect(index.of('f')).toEqual([])
  expect(index.isEmpty()).toBe(true)
  expect(index.remove('g', 'ada')).toBe(true)
})
