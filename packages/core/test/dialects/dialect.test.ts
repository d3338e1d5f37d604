import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { dialect as acp } from '../../src/dialects/acp/index.ts'
import { dialect as agUi } from '../../src/dialects/ag-ui/index.ts'
import { dialect as agentrail } from '../../src/dialects/agentrail/index.ts'
import { dialect as claude } from '../../src/dialects/claude/index.ts'
import { dialect as codex } from '../../src/dialects/codex/index.ts'
import { dialect as cognipeer } from '../../src/dialects/cognipeer/index.ts'
import { listWithin } from '../../src/dialects/dialect.ts'
import { dialect as eve } from '../../src/dialects/eve/index.ts'
import { dialect as harness } from '../../src/dialects/harness/index.ts'
import { dialect as mcp } from '../../src/dialects/mcp/index.ts'
import { dialect as userChoice } from '../../src/dialects/user-choice/index.ts'
import { parseWith } from '../../src/lib/schema.ts'

describe('a list within bounds', () => {
  const schema = listWithin(v.string(), [2, 3], 'options')
  const parse = (input: unknown) => parseWith(schema, input, 'INVALID_QUESTIONS', 'Wrong')

  it('is read with as many entries as the bounds say', () => {
    for (const list of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ])
      expect(parse(list)).toEqual(list)
  })

  it.each([{ list: ['a'] }, { list: ['a', 'b', 'c', 'd'] }])(
    'is refused as $list, and the fault says how many entries it takes',
    ({ list }) => {
      expect(() => parse(list)).toThrow(
        expect.objectContaining({ faults: [{ path: '', expected: '2 to 3 options' }] }),
      )
    },
  )
})

it.each([acp, agUi, agentrail, claude, codex, cognipeer, eve, harness, mcp, userChoice])(
  'the dialect of $name says what is lost in it, and why',
  ({ losses }) => {
    const entries = Object.values(losses).flatMap((lost) => Object.entries(lost))
    expect(entries.length).toBeGreaterThan(0)
    expect(entries.flat().map((text) => text.trim())).not.toContain('')
  },
)
