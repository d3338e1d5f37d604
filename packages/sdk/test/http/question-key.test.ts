import { createMemoryChannel } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { questionKeyOf } from '../../src/http/question-key.ts'

const withId = (id: string | undefined) => {
  const { sandbox } = createMemoryChannel()
  return id === undefined ? sandbox : { ...sandbox, id }
}

it('the place of a question differs by its id and by its sandbox', () => {
  const [one, two] = [withId(undefined), withId(undefined)]
  const places = [one, two].flatMap((sandbox) => [questionKeyOf(sandbox, 'a'), questionKeyOf(sandbox, 'b')])
  expect(new Set(places).size).toBe(4)
  expect(questionKeyOf(one, 'a')).toBe(places[0])
})

it('the place of a question is the same for two sandboxes over the same files', () => {
  expect(questionKeyOf(withId('folder'), 'a')).toBe(questionKeyOf(withId('folder'), 'a'))
  expect(questionKeyOf(withId('folder'), 'a')).not.toBe(questionKeyOf(withId('other'), 'a'))
  const sandbox = withId(undefined)
  expect(questionKeyOf({ ...sandbox }, 'a')).toBe(questionKeyOf(sandbox, 'a'))
})
