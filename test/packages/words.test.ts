import { expect, it } from 'vitest'
import { wordFaults } from '../../scripts/check-words.mjs'

const faultsOf = (files: Record<string, string>): string[] => wordFaults(new Map(Object.entries(files)))

it('the check of words finds a word of the older format outside of its room, in comments too', () => {
  const faults = faultsOf({
    'packages/files/src/channel/a.ts': 'if (answerFile.replaceable) return // as passedOver says',
    'packages/sdk/src/http/b.ts': 'const { olderRunners } = options',
  })
  expect(faults).toEqual([
    expect.stringMatching(/^packages\/files\/src\/channel\/a\.ts: replaceable .*packages\/core\/src\/compat/),
    expect.stringContaining('a.ts: passedOver'),
    expect.stringContaining('b.ts: olderRunners'),
  ])
})

it('the check of words lets the room and its doors name what they need, and nothing else', () => {
  expect(
    faultsOf({
      'packages/core/src/compat/finality.ts': 'replaceable passedOver quietMs',
      'packages/sdk/src/http/answer-handler.ts': 'olderRunners',
      'packages/runner/src/ask/ask-options.ts': 'quietMs',
      'packages/react/src/form/a.ts': 'isReplaceableBy, irreplaceable',
    }),
  ).toEqual([])
  expect(faultsOf({ 'packages/sdk/src/http/answer-handler.ts': 'quietMs' })).toHaveLength(1)
})
