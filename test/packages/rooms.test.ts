import { expect, it } from 'vitest'
import { roomFaults } from '../../scripts/check-rooms.mjs'

const faultsOf = (files: Record<string, string>): string[] => roomFaults(new Map(Object.entries(files)))

it('the check of rooms finds an import of a room above', () => {
  const faults = faultsOf({
    'packages/sdk/src/signing/sign.ts': "import {\n  type A,\n  b,\n} from '../http/access.ts'",
    'packages/sdk/src/http/access.ts': "export { c } from '../signing/keys.ts'",
  })
  expect(faults).toEqual([expect.stringContaining('the room signing is not above http')])
})

it('the check of rooms finds a lazy import of a room above', () => {
  const faults = faultsOf({
    'packages/cli/src/terminal/a.ts': "const run = await import('../commands/run.ts')",
  })
  expect(faults).toEqual([expect.stringContaining('the room terminal is not above commands')])
})

it('the check of rooms keeps agents apart', () => {
  const faults = faultsOf({
    'packages/runner/src/agents/claude/a.ts':
      "import { b } from '../command/b.ts'\nimport { c } from './c.ts'",
  })
  expect(faults).toEqual([expect.stringContaining('agents/claude is not above agents/command')])
})

it('the check of rooms finds a circle of type-only imports', () => {
  const faults = faultsOf({
    'packages/sdk/src/http/a.ts': "import type { B } from './b.ts'",
    'packages/sdk/src/http/b.ts': "export type { C } from './c.ts'",
    'packages/sdk/src/http/c.ts': "import type { A } from './a.ts'",
  })
  expect(faults).toEqual([expect.stringMatching(/^circle: .*a\.ts -> .*b\.ts -> .*c\.ts -> .*a\.ts$/)])
})

it('the check of rooms finds an import of another package that is not allowed, in sources and in tests', () => {
  expect(
    faultsOf({
      'packages/runner/src/a.ts': "import type { Sandbox } from '@sandagent/sdk'",
      'packages/sdk/src/b.ts': "import { createTempDir } from '@sandagent/fixtures/temp-dir.ts'",
      'packages/sdk/test/b.test.ts': "import { createTempDir } from '@sandagent/fixtures/temp-dir.ts'",
      'test/c.test.ts': "import { d } from '../packages/core/src/d.ts'",
    }),
  ).toEqual([
    'packages/runner/src/a.ts: runner does not import sdk',
    'packages/sdk/src/b.ts: sdk does not import fixtures',
    'test/c.test.ts: import core by its name, not packages/core/src/d.ts',
  ])
})
