import { expect, it } from 'vitest'
import { thenEnd } from '../../../src/lib/async/then-end.ts'

const failing = (words: string) => async (): Promise<never> => {
  throw new Error(words)
}

it('what work needed is ended one after another, once it is done', async () => {
  const seen: string[] = []
  const step = (name: string) => async () => {
    await null
    seen.push(name)
    return name
  }
  expect(await thenEnd(step('work'), step('first'), step('second'))).toBe('work')
  expect(seen).toEqual(['work', 'first', 'second'])
})

it('an end that fails keeps nothing else from ending, and is told', async () => {
  let ended = 0
  const end = (): void => void ended++
  await expect(thenEnd(() => 'done', end, failing('first'), end, failing('second'), end)).rejects.toThrow(
    /^first$/,
  )
  expect(ended).toBe(3)
})

it('work that fails is what is told, whatever fails after it', async () => {
  let ended = 0
  await expect(thenEnd(failing('work'), failing('end'), () => ended++)).rejects.toThrow(/^work$/)
  expect(ended).toBe(1)
})
