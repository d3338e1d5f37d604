import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { execute } from '../support/packed-project.ts'

/** What a question loads that has a secret, files or a passkey. */
const ON_DEMAND = [
  'packages/core/dist/answer/sealed-secret.js',
  'packages/files/dist/internal.js',
  'packages/runner/dist/ask/attached-files.js',
  'packages/runner/dist/ask/secrets/secret-files.js',
  'packages/runner/dist/ask/secrets/secret-questions.js',
]

const PROGRAM = `
import { askUser, createFileRunnerChannel } from '@sandagent/runner'
const [workdir] = process.argv.slice(1)
const questions = [{ question: 'Where to?', options: [{ label: 'Here' }, { label: 'There' }] }]
const request = { toolCallId: 'call_1', runId: 'run_1', questions }
const { kind } = await askUser(createFileRunnerChannel({ workdir }), request, { timeoutMs: 1 })
console.log(kind)
`

/** The modules that Node loads for a program, by their real paths. */
async function loadedBy(program: string, ...args: string[]): Promise<string[]> {
  const folder = await tempDir()
  const node = [process.execPath, '--input-type=module', '-e', program, ...args]
  expect(await execute('env', [`NODE_V8_COVERAGE=${folder}`, ...node], join(root, 'test'))).toContain(
    'timed-out',
  )
  const reports = await Promise.all(
    (await readdir(folder)).map(
      async (name): Promise<{ result: { url: string }[] }> =>
        JSON.parse(await readFile(join(folder, name), 'utf8')),
    ),
  )
  return reports
    .flatMap(({ result }) => result.map(({ url }) => url))
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(root, fileURLToPath(url)))
}

it('a plain question loads nothing that only secrets, files and passkeys need', async () => {
  const loaded = await loadedBy(PROGRAM, await tempDir())
  expect(loaded).toContain('packages/runner/dist/ask/ask-user.js')
  expect(ON_DEMAND.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(loaded.filter((path) => ON_DEMAND.includes(path))).toEqual([])
  // Their indexes load all that they have.
  expect(loaded.filter((path) => /\/(jose|@simplewebauthn)\/.*index/.test(path))).toEqual([])
})
