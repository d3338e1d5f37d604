import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { runCommand, writeFileInside } from '../../../src/agents/scripted/work-tools.ts'

describe('writeFileInside', () => {
  it('writes a file and the folders on the way', async () => {
    const workdir = await tempDir()
    await writeFileInside(workdir, 'a/b/c.txt', 'text')
    await writeFileInside(workdir, 'a/./b/../d.txt', 'more')
    expect(await readFile(join(workdir, 'a/b/c.txt'), 'utf8')).toBe('text')
    expect(await readFile(join(workdir, 'a/d.txt'), 'utf8')).toBe('more')
  })

  it.each(['../../out.txt', 'a/../../out.txt', '/tmp/out.txt'])('refuses %s', async (path) => {
    const parent = await tempDir()
    const workdir = join(parent, 'workdir')
    await mkdir(workdir)
    await expect(writeFileInside(workdir, path, 'x')).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
    expect(await readdir(parent)).toEqual(['workdir'])
  })

  it('refuses a way out by a link', async () => {
    const workdir = await tempDir()
    const outside = await tempDir()
    await symlink(outside, join(workdir, 'folder'))
    await symlink(join(outside, 'file.txt'), join(workdir, 'file.txt'))
    await expect(writeFileInside(workdir, 'folder/new/x.txt', 'x')).rejects.toMatchObject({
      code: 'UNSAFE_PATH',
    })
    await expect(writeFileInside(workdir, 'file.txt', 'x')).rejects.toMatchObject({ code: 'ELOOP' })
    expect(await readdir(outside)).toEqual([])
  })
})

describe('runCommand', () => {
  const signal = new AbortController().signal

  it('gives what the command printed, without colours', async () => {
    const workdir = await tempDir()
    const script = 'console.log("\\u001b[31mred\\u001b[0m", process.cwd()); console.error("oops")'
    expect(await runCommand(workdir, 'node', ['-e', script], signal)).toEqual({
      stdout: `red ${workdir}`,
      stderr: 'oops',
      exitCode: 0,
      failure: null,
    })
  })

  it('passes arguments as they are: there is no shell', async () => {
    const args = ['$HOME', '; exit 1', '"quoted"', '*']
    const { stdout } = await runCommand(
      await tempDir(),
      'node',
      ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', ...args],
      signal,
    )
    expect(JSON.parse(stdout)).toEqual(args)
  })

  it('tells why a command failed', async () => {
    const workdir = await tempDir()
    const failed = await runCommand(workdir, 'node', ['-e', 'console.log("so far"); process.exit(3)'], signal)
    expect(failed).toMatchObject({
      exitCode: 3,
      stdout: 'so far',
      failure: expect.stringContaining('exit code 3'),
    })
    const missing = await runCommand(workdir, 'no-such-command', [], signal)
    expect(missing).toMatchObject({ exitCode: undefined, failure: expect.stringContaining('ENOENT') })
  })

  it('ends the command when the signal aborts', async () => {
    const stop = new AbortController()
    const running = runCommand(await tempDir(), 'node', ['-e', 'setInterval(() => {}, 1000)'], stop.signal)
    stop.abort()
    expect(await running).toMatchObject({ failure: expect.stringContaining('canceled') })
  })
})
