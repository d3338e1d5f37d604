import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, startRun } from '@sandagent/sdk'
import { enterWorkdir } from '@sandagent/sdk/internal'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { knownWorkdirs } from '../src/known-workdirs.ts'

let config: string
beforeEach(async () => {
  config = await tempDir()
  vi.stubEnv('XDG_CONFIG_HOME', config)
  onTestFinished(() => void vi.unstubAllEnvs())
})

const onWarning = vi.fn()
const entered = () => join(config, 'sandagent/workdirs')
const known = async () => (await knownWorkdirs({ onWarning })).map(({ workdir }) => workdir)

describe('the known workdirs', () => {
  it('are none before anything is entered', async () => {
    expect(await known()).toEqual([])
    expect(await readdir(config)).toEqual([])
  })

  it('are entered once, with their state folders, for this user alone', async () => {
    const workdir = await tempDir()
    await enterWorkdir({ workdir }, { onWarning })
    await enterWorkdir({ workdir }, { onWarning })
    await enterWorkdir({ workdir, stateFolder: '.bunny-agent' }, { onWarning })
    expect(await knownWorkdirs({ onWarning })).toEqual(
      expect.arrayContaining([
        { workdir, stateFolder: '.sandagent' },
        { workdir, stateFolder: '.bunny-agent' },
      ]),
    )
    const names = await readdir(entered())
    expect(names).toHaveLength(2)
    expect((await stat(entered())).mode & 0o777).toBe(0o700)
    for (const name of names) expect((await stat(join(entered(), name))).mode & 0o777).toBe(0o600)
  })

  it('are all there when many processes enter one at once', async () => {
    const workdirs = await Promise.all(Array.from({ length: 6 }, tempDir))
    const script = `
      import { enterWorkdir } from '@sandagent/sdk/internal'
      process.stdin.once('data', async () => {
        for (const workdir of process.argv.slice(1)) await enterWorkdir({ workdir }, { onWarning: console.error })
        process.exit()
      })
      console.log('ready')`
    const children = workdirs.map((workdir) =>
      // Each process enters one folder of its own, and one that all enter.
      spawn(process.execPath, ['--input-type=module', '-e', script, workdir, config], {
        cwd: import.meta.dirname,
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    )
    onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')))
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
    const ended = children.map((child) => once(child, 'close'))
    for (const { stdin } of children) stdin.write('go')
    expect((await Promise.all(ended)).map(([code]) => code)).toEqual(workdirs.map(() => 0))
    expect(await known()).toEqual([config, ...workdirs].sort())
    expect((await readdir(entered())).every((name) => name.endsWith('.json'))).toBe(true)
  })

  it('are forgotten when they are gone', async () => {
    const [workdir, gone] = [await tempDir(), await tempDir()]
    for (const folder of [workdir, gone]) await enterWorkdir({ workdir: folder }, { onWarning })
    await rm(gone, { recursive: true })
    expect(await known()).toEqual([workdir])
    expect(await readdir(entered())).toHaveLength(1)
  })

  it('are forgotten when something else is in their place', async () => {
    const parent = await tempDir()
    const places = [join(parent, 'file'), join(parent, 'file/below')]
    for (const workdir of places) await enterWorkdir({ workdir }, { onWarning })
    await writeFile(join(parent, 'file'), '')
    onWarning.mockClear()
    expect(await known()).toEqual([])
    expect([await readdir(entered()), onWarning.mock.calls]).toEqual([[], []])
  })

  it('are read from entries alone, and from those that are still there', async () => {
    await mkdir(entered(), { recursive: true })
    await writeFile(join(entered(), 'notes.txt'), 'no entry')
    await symlink('removed', join(entered(), 'gone.json'))
    onWarning.mockClear()
    expect([await known(), onWarning.mock.calls]).toEqual([[], []])
  })

  it('are listed beside a damaged entry, which is a warning and stays', async () => {
    const workdir = await tempDir()
    await enterWorkdir({ workdir }, { onWarning })
    await writeFile(join(entered(), 'damaged.json'), '{"workdir":')
    onWarning.mockClear()
    expect(await known()).toEqual([workdir])
    expect(onWarning).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'INVALID_FILE', message: expect.stringContaining('damaged.json') }),
    )
    expect(await readFile(join(entered(), 'damaged.json'), 'utf8')).toBe('{"workdir":')
  })

  it.each([
    ['a relative path', { workdir: 'relative', stateFolder: '.sandagent' }],
    ['a path with NUL', { workdir: '/tmp/a\0b', stateFolder: '.sandagent' }],
    ['a state folder elsewhere', { workdir: '/tmp', stateFolder: '../elsewhere' }],
    ['the folder of Git', { workdir: '/tmp', stateFolder: '.git' }],
  ])('are never %s, which is one warning that names its file', async (_, entry) => {
    await mkdir(entered(), { recursive: true })
    await writeFile(join(entered(), 'damaged.json'), JSON.stringify(entry))
    onWarning.mockClear()
    expect(await known()).toEqual([])
    expect(onWarning.mock.calls).toEqual([
      [{ code: 'INVALID_FILE', message: expect.stringContaining(join(entered(), 'damaged.json')) }],
    ])
    expect(await readdir(entered())).toEqual(['damaged.json'])
  })

  it('name the entry in the warning of the system', async () => {
    await mkdir(join(entered(), 'folder.json'), { recursive: true })
    onWarning.mockClear()
    expect(await known()).toEqual([])
    expect(onWarning.mock.calls).toEqual([
      [{ code: 'EISDIR', message: expect.stringContaining(join(entered(), 'folder.json')) }],
    ])
  })

  it('are none where their folder cannot be read, which is a warning', async () => {
    await mkdir(join(config, 'sandagent'))
    await writeFile(entered(), 'a file is in the way')
    onWarning.mockClear()
    expect(await known()).toEqual([])
    expect(onWarning.mock.calls).toEqual([[{ code: 'ENOTDIR', message: expect.stringContaining(entered()) }]])
  })

  it('are not entered where the environment says off', async () => {
    vi.stubEnv('SANDAGENT_KNOWN_WORKDIRS', 'off')
    await enterWorkdir({ workdir: await tempDir() }, { onWarning })
    expect(await known()).toEqual([])
  })

  it('are no reason to fail: a home that cannot be written is a warning', async () => {
    await writeFile(join(config, 'sandagent'), 'a file is in the way')
    onWarning.mockClear()
    await enterWorkdir({ workdir: config }, { onWarning })
    expect(onWarning).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringContaining('is not among the known workdirs') }),
    )
  })
})

describe('startRun', () => {
  it('enters its workdir, and its runner enters nothing', async () => {
    const workdir = await tempDir()
    const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
    const runner = [
      process.execPath,
      '-e',
      'console.log(process.env.SANDAGENT_KNOWN_WORKDIRS)',
      '--',
    ] as const
    const request = { agent: 'none', prompt: '', runner, runId: 'r' }
    await new Promise((onEnd) => startRun(sandbox, request, { signingKeys: null, onEnd }))
    expect(await known()).toEqual([workdir])
    expect(await readFile(join(workdir, '.sandagent/runs/r/1/stream.sse'), 'utf8')).toBe('off\n')
  })
})
