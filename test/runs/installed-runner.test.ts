import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandIn, installHost, installRunner, runHost } from '../support/installed-app.ts'

const canIsolate = await new LocalSandbox({ workdir: import.meta.dirname, isolation: 'strict' })
  .activeIsolation()
  .then(
    () => true,
    () => false,
  )

const LEVELS = canIsolate ? ['none', 'strict'] : ['none']

/** An app with the host's package alone, and a home with the runner's. */
let app: string
let home: string

/** Its path has no links. */
const newFolder = async () => realpath(await mkdtemp(join(tmpdir(), 'sandagent-installed-')))

beforeAll(async () => {
  app = await newFolder()
  await installHost(app)
  home = await newFolder()
  const main = await installRunner(join(home, 'lib'))
  await commandIn(join(home, 'linked'), { link: main })
  await commandIn(join(home, 'shim'), { script: `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n` })
})
afterAll(async () => {
  for (const folder of [app, home]) await rm(folder, { recursive: true })
})

describe.each(LEVELS)('a host that was started by node alone, with the isolation %s', (isolation) => {
  it('finds the runner that is installed beside the sdk', async () => {
    const whole = await tempDir()
    await cp(app, whole, { recursive: true })
    await installRunner(whole)
    expect(await runHost(whole, { isolation, cwd: await tempDir() })).toEqual({ state: 'finished' })
  })

  it('finds the runner that is installed in the folder where it runs', async () => {
    expect(await runHost(app, { isolation, cwd: join(home, 'lib') })).toEqual({ state: 'finished' })
  })

  it('finds the runner of a home folder on the PATH, where npm links to the package', async () => {
    const path = [join(home, 'linked'), dirname(process.execPath)]
    expect(await runHost(app, { isolation, path })).toEqual({ state: 'finished' })
  })

  it('says what to install where there is no runner', async () => {
    expect(await runHost(app, { isolation })).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(
        /neither installed beside the host nor on the PATH.*npm install sandagent/,
      ),
    })
  })
})

it.runIf(canIsolate)('a runner that programs inside cannot read is refused, with what to do', async () => {
  const path = [join(home, 'shim')]
  expect(await runHost(app, { isolation: 'none', path })).toEqual({ state: 'finished' })
  expect(await runHost(app, { isolation: 'strict', path })).toMatchObject({
    code: 'ISOLATION_UNAVAILABLE',
    message: expect.stringMatching(
      /shim\/sandagent cannot be started: .*cannot read it there\. .*npm install.*`readable`/,
    ),
  })
})
