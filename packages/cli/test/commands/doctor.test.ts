import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, loadSigningKeys } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { doctor } from '../../src/commands/doctor/doctor.ts'
import { createHome, type Home } from '../command-process.ts'

const { level } = await new LocalSandbox({ workdir: import.meta.dirname }).activeIsolation()
const canIsolate = level === 'strict'

interface Finding {
  about: string
  state: string
  text: string
  hint?: string
  figures?: Record<string, number>
}

/** What the doctor finds, by what it is about, and its exit code. */
async function findingsOf(home: Home, ...args: string[]) {
  const { code, stdout, stderr } = await home.run('doctor', '--json', ...args)
  expect(stderr).toBe('')
  const findings: Finding[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { code, about: Object.fromEntries(findings.map((finding) => [finding.about, finding])) }
}

describe('sandagent doctor', () => {
  it.runIf(canIsolate)(
    'writes nothing through links that an isolated agent plants in its folder',
    async () => {
      const [home, workdir, outside] = [await createHome(), await tempDir(), await tempDir()]
      const victim = join(outside, 'victim')
      await writeFile(victim, 'mine')
      const sandbox = new LocalSandbox({ workdir, isolation: 'strict' })
      const plant = `while :; do for d in $PWD/.sandagent-doctor-* $PWD/.sandagent/*/.sandagent-doctor-*; do
      for name in first second now synced-0; do ln -s ${victim} $d/$name 2>/dev/null && echo planted; done; done; done`
      const agent = await sandbox.spawn('sh', ['-c', `echo begun; ${plant}`])
      onTestFinished(() => agent.kill())
      await once(agent.stdout, 'data')
      let planted = ''
      agent.stdout.on('data', (bytes) => {
        planted += bytes
      })
      agent.stderr.resume()
      const { about } = await findingsOf(home, '--workdir', workdir)
      expect(about['File system']).toMatchObject({ state: 'good' })
      expect(await readFile(victim, 'utf8')).toBe('mine')
      expect(planted).toBe('')
    },
  )

  it('finds a local folder fit, measures it, and leaves nothing in it', async () => {
    const [home, workdir] = [await createHome(), await tempDir()]
    const { code, about } = await findingsOf(home, '--workdir', workdir)
    expect(code).toBe(0)
    for (const name of ['Folder', 'File system', 'Clock', 'Node', 'Signing key'])
      expect(about[name], name).toMatchObject({ state: 'good' })
    expect(about.Answers?.figures?.answerMs).toBeGreaterThan(0)
    expect(about.Sync?.figures?.syncMs).toBeGreaterThan(0)
    expect(await readdir(workdir)).toEqual([])
    const text = (await home.run('doctor', '--workdir', workdir)).stdout
    expect(text).toContain(`✓ Folder        ${workdir} has 0 open questions\n`)
  })

  it.runIf(canBeOther)('says that questions or answers belong to another user', async () => {
    const [home, workdir] = [await createHome(), await tempDir()]
    const uid = Number.parseInt(OTHER_USER, 10)
    const question = '.sandagent/questions/t1.json'
    for (const path of ['.sandagent', '.sandagent/questions']) await mkdir(join(workdir, path))
    await writeFile(join(workdir, question), '')
    expect((await findingsOf(home, '--workdir', workdir)).about.Users).toBeUndefined()
    for (const path of [question, '.sandagent/questions', '.sandagent']) {
      await chown(join(workdir, path), uid, uid)
      expect((await findingsOf(home, '--workdir', workdir)).about.Users).toMatchObject({
        state: 'poor',
        text: `${path} belongs to the user ${uid}, and you are the user 0`,
        hint: expect.stringContaining('run both as one user'),
      })
    }
  })

  it('says what is wrong with a folder, and looks at the machine all the same', async () => {
    const [home, folder] = [await createHome(), await tempDir()]
    const none = await findingsOf(home, '--workdir', join(folder, 'none'))
    expect(none).toMatchObject({
      code: 1,
      about: {
        Folder: {
          state: 'bad',
          text: expect.stringContaining('none'),
          hint: expect.stringContaining('--workdir'),
        },
        Node: { state: 'good' },
      },
    })
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect(await findingsOf(home, '--workdir', file)).toMatchObject({
      code: 1,
      about: { Folder: { state: 'bad', text: `${file} is no folder` } },
    })
    const questions = join(folder, '.sandagent/questions')
    await mkdir(questions, { recursive: true })
    const approvals = join(folder, '.sandagent/approvals')
    await writeFile(approvals, '')
    expect(await findingsOf(home, '--workdir', folder)).toMatchObject({
      code: 1,
      about: { Folder: { state: 'bad', text: expect.stringContaining(`${approvals} is no folder`) } },
    })
    await rm(approvals)
    await writeFile(join(questions, 'toolu_1.json'), '{')
    expect(await findingsOf(home, '--workdir', folder)).toMatchObject({
      code: 0,
      about: { Folder: { state: 'poor', text: expect.stringContaining('toolu_1') } },
    })
  })

  it('names the packages that isolation misses, and how to install them', async () => {
    const home = await createHome()
    home.env.PATH = await tempDir()
    const { about } = await findingsOf(home, '--workdir', await tempDir())
    expect(about.Isolation).toMatchObject({
      state: 'poor',
      text: expect.stringMatching(/bubblewrap.*apt-get install/),
    })
  })

  describe('the runner', () => {
    /** What is said of it in a folder, with these folders on the `PATH` before the system's. */
    async function runnerIn(cwd: string, ...path: string[]): Promise<Finding | undefined> {
      const home = await createHome()
      home.env.PATH = [...path, '/usr/bin', '/bin'].join(delimiter)
      const { stdout } = await home.start(['doctor', '--json'], { cwd }).ended
      const findings: Finding[] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      return findings.find(({ about }) => about === 'Runner')
    }

    /** A folder with a command of this text. */
    async function commandIn(folder: string, script: string): Promise<string> {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'sandagent'), script, { mode: 0o755 })
      return folder
    }

    it('that is installed in the folder is found without the PATH', async () => {
      const folder = await tempDir()
      const place = join(folder, 'node_modules/sandagent/dist')
      await mkdir(place, { recursive: true })
      await writeFile(join(place, 'main.js'), '')
      await mkdir(join(folder, 'server'))
      for (const cwd of [folder, join(folder, 'server')])
        expect(await runnerIn(cwd)).toMatchObject({ state: 'good', text: `A host finds ${place}/main.js` })
      await writeFile(join(place, 'main.js'), 'throw new Error("It is torn")')
      expect(await runnerIn(folder)).toMatchObject({
        state: 'bad',
        text: expect.stringContaining('It is torn'),
        hint: expect.stringContaining('npm install sandagent'),
      })
    })

    it('that is nowhere is to be installed', async () => {
      expect(await runnerIn(await tempDir())).toMatchObject({
        state: 'poor',
        hint: expect.stringContaining('npm install sandagent'),
      })
    })

    it('on the PATH of npx alone is found by hosts that npx starts', async () => {
      const folder = await tempDir()
      const ofPackage = await commandIn(join(folder, 'node_modules/.bin'), '#!/bin/sh\n')
      expect(await runnerIn(await tempDir(), ofPackage)).toMatchObject({
        state: 'good',
        text: `A host finds ${ofPackage}/sandagent, if npx or a script of package.json starts the host`,
      })
    })

    it.runIf(canIsolate)('in a home on the PATH is not fit for isolation', async () => {
      const shims = await commandIn(join(await tempDir(), 'bin'), '#!/bin/sh\n')
      expect(await runnerIn(await tempDir(), shims)).toMatchObject({
        state: 'bad',
        text: expect.stringMatching(/bin\/sandagent, and cannot start it\. .*cannot read it there/),
        hint: expect.stringContaining('npm install sandagent'),
      })
    })
  })

  it('stops when it is interrupted, and leaves nothing', async () => {
    const workdir = await tempDir()
    const write = vi.fn()
    const io = { stdout: { write }, signal: AbortSignal.abort() } as never
    expect(await doctor(['--workdir', workdir], io)).toBeUndefined()
    expect(write).not.toHaveBeenCalled()
    expect(await readdir(workdir)).toEqual([])
  })

  it('refuses a key that others can read', async () => {
    const home = await createHome()
    vi.stubEnv('XDG_CONFIG_HOME', String(home.env.XDG_CONFIG_HOME))
    onTestFinished(() => void vi.unstubAllEnvs())
    await loadSigningKeys({ create: true })
    const folder = join(String(home.env.XDG_CONFIG_HOME), 'sandagent')
    const [name = ''] = await readdir(folder)
    await chmod(join(folder, name), 0o644)
    const { code, about } = await findingsOf(home, '--workdir', await tempDir())
    expect(code).toBe(1)
    expect(about['Signing key']).toMatchObject({ state: 'bad', text: expect.stringContaining(name) })
  })

  it('tries an address', async () => {
    const [home, workdir] = [await createHome(), await tempDir()]
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/broken' ? 503 : 401
      response.end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const tried = async (url: string) =>
      (await findingsOf(home, '--workdir', workdir, '--url', url)).about.Address
    expect(await tried(origin)).toMatchObject({
      state: 'good',
      text: expect.stringContaining('replies with 401'),
    })
    expect(await tried(`${origin}/broken`)).toMatchObject({
      state: 'bad',
      text: expect.stringContaining('503'),
    })
    // Nothing listens on port 2, and no system gives it to a process that asks for any port.
    expect(await tried('http://127.0.0.1:2')).toMatchObject({
      state: 'bad',
      text: expect.stringContaining('ECONNREFUSED'),
    })
    expect((await tried('http://localhost:2'))?.text).toMatch(/does not reply: .*ECONNREFUSED/)
    for (const wrong of ['box', 'http://user:secret@127.0.0.1'])
      expect(await home.run('doctor', '--url', wrong)).toMatchObject({
        code: 2,
        stderr: expect.not.stringContaining('secret'),
      })
  })
})
