import { AskError } from '@sandagent/core'
import { answerFileFor } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { cursorOf } from '../../src/index.ts'
import { changed, type ServingOptions, serving } from '../support/answer-api.ts'

const A = { q1: { selected: ['A'], source: 'human' as const } }
const answer = { toolCallId: 't0', responses: A, status: 'completed' as const }

describe('a list', () => {
  const idsOf = ({ value }: { value: { questions: { state: { toolCallId: string } }[] } }) =>
    value.questions.map(({ state }) => state.toolCallId)

  it.each([
    [1, 5, ['t0'], true, [2]],
    [2, 3, ['t0', 't1'], true, [3]],
    [3, 3, ['t0', 't1', 't2'], false, [4]],
    [undefined, 5, ['t0', 't1', 't2', 't3', 't4'], false, [500]],
  ])(
    'of at most %s of %i questions asks for one more, and tells whether more follow',
    async (limit, count, ids, hasMore, asked) => {
      const { call, lists } = await serving(count)
      const list = await call(({ list }) => list(limit === undefined ? {} : { limit }))
      expect(idsOf(list)).toEqual(ids)
      expect(list.value.hasMore).toBe(hasMore)
      expect(lists.map((options) => options.limit)).toEqual(asked)
    },
  )

  it('leaves out what the caller may not see, and is filled up with what follows', async () => {
    const { call } = await serving(5, { authorize: (_, { toolCallId }) => toolCallId !== 't0' })
    for (const [limit, ids, hasMore] of [
      [2, ['t1', 't2'], true],
      [4, ['t1', 't2', 't3', 't4'], false],
    ] as const) {
      const list = await call(({ list }) => list({ limit }))
      expect(idsOf(list)).toEqual(ids)
      expect(list.value.hasMore).toBe(hasMore)
    }
  })

  it('goes on behind its cursor', async () => {
    const { call } = await serving(4)
    const { value } = await call(({ list }) => list({ limit: 2 }))
    const { state } = value.questions[1] ?? {}
    const cursor = cursorOf({ toolCallId: 't1', askedAt: state?.record?.askedAt ?? '' })
    expect(idsOf(await call(({ list }) => list({ cursor })))).toEqual(['t2', 't3'])
  })

  it('leaves out what cannot be read, and warns of it once', async () => {
    const warnings: string[] = []
    const { sandbox } = await serving(2)
    const refused = new AskError('UNREACHABLE', 'It cannot be read')
    const part = changed(sandbox, (channel) => ({
      states: async (records) =>
        (await channel.states(records)).map((state, n) => (n === 0 ? refused : state)),
    }))
    const { call } = await serving(0, { sandbox: part, onWarning: ({ code }) => warnings.push(code) })
    for (let n = 0; n < 2; n++) expect(idsOf(await call(({ list }) => list()))).toEqual(['t1'])
    expect(warnings).toEqual(['UNREACHABLE'])
  })

  it('shows who sees it, by name or by browser, and what the policy says', async () => {
    const request = new Request(`http://host/api/answer?browser=${'x'.repeat(70)}`)
    const viewerOf = async (options: ServingOptions) => {
      const { call } = await serving(1, options)
      const read = await call(({ read }) => read('t0'), request)
      const list = await call(({ list }) => list(), request)
      expect(JSON.stringify(list.value.questions[0]?.viewer)).toBe(JSON.stringify(read.value.viewer))
      return read.value.viewer
    }
    expect(await viewerOf({})).toEqual({ browser: 'x'.repeat(64) })
    const authorize = () => ({ answeredBy: 'ada', roles: ['lead'] })
    expect(await viewerOf({ authorize })).toEqual({ answeredBy: 'ada' })
    const policy = [{ roles: ['lead'] }]
    expect(await viewerOf({ authorize, policy })).toMatchObject({ mayAnswer: true, rule: policy[0] })
    expect(await viewerOf({ authorize: () => ({ answeredBy: 'ada' }), policy })).toMatchObject({
      mayAnswer: false,
    })
  })
})

describe('a question that nobody recorded', () => {
  it.each<[string, ServingOptions, string | null]>([
    ['is unknown', {}, 'NOT_FOUND'],
    ['is read and answered for older runners', { needsRecord: false }, null],
    ['is unknown under a policy', { needsRecord: false, policy: [{}] }, 'NOT_FOUND'],
  ])('%s', async (_, options, expected) => {
    const authorize = () => ({ answeredBy: 'ada' })
    const { call, questions } = await serving(1, { authorize, ...options })
    const { nonce: __, ...file } = answerFileFor('old')
    await questions.writeAnswer('old', JSON.stringify(file), { expected: null })
    expect((await call(({ read }) => read('old'))).code).toBe(expected)
    expect((await call(({ store }) => store({ ...answer, toolCallId: 'old' }))).code).toBe(expected)
    expect((await call(({ read }) => read('none'))).code).toBe('NOT_FOUND')
  })
})
