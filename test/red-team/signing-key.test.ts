import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { main } from '../support/servers/inbox-server.ts'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'

const PROGRAM = `
const asked = { type: 'ask', questions: [{ question: 'Which?', options: [{ label: 'Left' }, { label: 'Right' }] }] }
console.log(JSON.stringify(asked))
process.stdin.once('data', (line) => {
  console.log('It heard ' + JSON.parse(line).answers['Which?'])
  console.log('Its key: ' + process.env.SANDAGENT_SIGNING_KEY)
  process.exit()
})`

it('an agent without isolation inherits no signing key, and its terminal signs with that key', async () => {
  const key = await createSigningKey()
  const { publicKeys } = await parseSigningKeys(key)
  const args = ['run', '--isolation', 'none', '--workdir', join(await tempDir(), 'workdir')]
  const terminal = startInTerminal(process.execPath, [main, ...args, '--', process.execPath, '-e', PROGRAM], {
    env: {
      XDG_CONFIG_HOME: await tempDir(),
      SANDAGENT_SIGNING_KEY: key,
      SANDAGENT_PUBLIC_KEYS: JSON.stringify(publicKeys),
    },
  })
  await terminal.at('Ctrl-C stop the agent', '2')
  await terminal.seeing('Enter send', '\r')
  expect(await terminal.ended).toBe(0)
  expect(terminal.screen()).toContain('It heard Right')
  expect(terminal.screen()).toContain('Its key: undefined')
})
