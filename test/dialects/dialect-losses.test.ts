import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialect as acp } from '@sandagent/core/dialects/acp'
import { dialect as agUi } from '@sandagent/core/dialects/ag-ui'
import { dialect as agentrail } from '@sandagent/core/dialects/agentrail'
import { dialect as claude } from '@sandagent/core/dialects/claude'
import { dialect as codex } from '@sandagent/core/dialects/codex'
import { dialect as cognipeer } from '@sandagent/core/dialects/cognipeer'
import { dialect as eve } from '@sandagent/core/dialects/eve'
import { dialect as harness } from '@sandagent/core/dialects/harness'
import { dialect as mcp } from '@sandagent/core/dialects/mcp'
import { dialect as userChoice } from '@sandagent/core/dialects/user-choice'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'

const TITLES = {
  request: 'Of their question, here',
  question: 'Of our question, there',
  response: 'Of a response',
} as const

const dialects = [claude, codex, agentrail, cognipeer, userChoice, harness, mcp, agUi, acp, eve]

const tables = (['request', 'question', 'response'] as const).map((part) => {
  const rows = dialects.flatMap(({ name, losses }) =>
    Object.entries(losses[part] ?? {}).map(([what, why]) => `| ${name} | ${what} | ${why} |`),
  )
  return [`**${TITLES[part]}**`, '', '| system | lost | why |', '|---|---|---|', ...rows, ''].join('\n')
})

// After a change of the losses: npx vitest run test/dialects/dialect-losses.test.ts --update
it('the reference lists what each dialect loses', async () => {
  const path = join(root, 'docs/reference/dialects.md')
  const page = readFileSync(path, 'utf8')
  const written = page.replace(
    /(<!-- losses: .*-->\n)[\s\S]*?(?=<!-- end of losses -->)/,
    (_, start) => `${start}\n${tables.join('\n')}\n`,
  )
  await expect(written).toMatchFileSnapshot(path)
})
