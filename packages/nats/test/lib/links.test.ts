import { expect, it } from 'vitest'
import { AFTER_HEADER, continues, linkIn, nextVersion, VERSION_HEADER } from '../../src/lib/links.ts'

it('the version after the highest count can be read, whatever count a runner has claimed', () => {
  const claimed = `999999999.${crypto.randomUUID()}`
  const version = nextVersion(claimed)
  const headers: Record<string, string> = { [VERSION_HEADER]: version, [AFTER_HEADER]: claimed }
  const link = linkIn({ header: (name) => headers[name] ?? '' })
  expect(link).toEqual({ version, after: claimed })
  expect(link && continues({ version: claimed, isProven: true }, link)).toBe(true)
})
