import { execFile } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LocalSandbox } from '@sandagent/sdk'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { installHost, installRunner, installRuntime, runHost } from '../support/installed-app.ts'

const canIsolate = await new LocalSandbox({ workdir: import.meta.dirname, isolation: 'strict' })
  .activeIsolation()
  .then(
    () => true,
    () => false,
  )

const FINISHED = { state: 'finished' }
const REFUSED = {
  code: 'ISOLATION_UNAVAILABLE',
  message: expect.stringMatching(/npm install @anthropic-ai\/sandbox-runtime@\d+\.\d+\.\d+/),
}

/** An app with the packages of the host and the runner, and without the package that isolates programs. */
let app: string

beforeEach(async () => {
  app = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-installed-')))
  onTestFinished(() => rm(app, { recursive: true }))
  await installHost(app, false)
  await installRunner(app)
})

describe.runIf(canIsolate)('without the sandbox runtime, where the machine can isolate programs', () => {
  it.each(['strict', 'auto'])(
    'the isolation %s starts nothing, and gives the line that installs it',
    async (isolation) => {
      expect(await runHost(app, { isolation })).toEqual(REFUSED)
    },
  )

  it('programs start where the host asks for no isolation', async () => {
    expect(await runHost(app, { isolation: 'none' })).toEqual(FINISHED)
  })

  it.each(['strict', 'auto'])(
    'the isolation %s works once the runtime is beside the host',
    async (isolation) => {
      await installRuntime(app)
      expect(await runHost(app, { isolation })).toEqual(FINISHED)
    },
  )

  it('the runtime of the runner beside the host is used, where only the runner can see it', async () => {
    await installRuntime(join(app, 'node_modules/sandagent'))
    expect(await runHost(app, { isolation: 'strict' })).toEqual(FINISHED)
  })
})

it('a host that only answers lacks nothing', async () => {
  const script = `
    import { createAnswerHandler, LocalSandbox, listQuestions } from '@sandagent/sdk'
    const sandbox = new LocalSandbox({ workdir: 'workdir' })
    const { GET } = createAnswerHandler({ sandbox, authorize: () => ({ answeredBy: 'ada' }) })
    const { status } = await GET(new Request('http://localhost/api/answer'))
    console.log(JSON.stringify({ questions: await listQuestions(sandbox), status }))`
  await writeFile(join(app, 'answering.mjs'), script)
  const { stdout } = await promisify(execFile)(process.execPath, ['answering.mjs'], { cwd: app })
  expect(JSON.parse(stdout)).toEqual({ questions: [], status: 200 })
})
