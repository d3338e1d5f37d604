import { expect, it } from 'vitest'
import { placeOf } from '../../src/http/place-of.ts'
import { createMemoryChannel } from '../../src/testing/index.ts'

const withId = (id: string | undefined) => {
  const { sandbox } = createMemoryChannel()
  return { ...sandbox, files: { ...sandbox.files, id } }
}

it('the place of a question differs by its id and by its sandbox', () => {
  const [one, two] = [withId(undefined), withId(undefined)]
  const places = [one, two].flatMap((sandbox) => [placeOf(sandbox, 'a'), placeOf(sandbox, 'b')])
  expect(new Set(places).size).toBe(4)
  expect(placeOf(one, 'a')).toBe(places[0])
})

it('the place of a question is the same for two sandboxes over the same files', () => {
  expect(placeOf(withId('folder'), 'a')).toBe(placeOf(withId('folder'), 'a'))
  expect(placeOf(withId('folder'), 'a')).not.toBe(placeOf(withId('other'), 'a'))
  const sandbox = withId(undefined)
  expect(placeOf({ ...sandbox }, 'a')).toBe(placeOf(sandbox, 'a'))
})
