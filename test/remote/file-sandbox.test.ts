import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type FileApi, fileSandbox } from '@sandagent/remote'
import { expect, it, onTestFinished, vi } from 'vitest'
import { COMMAND } from '../support/remote/piped-sandbox.ts'
import { fileApi } from '../support/vendors/file-place.ts'

const relay = [process.execPath, COMMAND] as const

/** The folders of the host’s requests. */
const foldersOf = async (paths: readonly string[]): Promise<string[]> => {
  const used = new Set(paths.map((path) => path.split('/')[2]))
  return (await readdir('/tmp')).filter((name) => used.has(name))
}

async function open(change: (api: FileApi) => Partial<FileApi> = () => ({})) {
  const { api, programs } = fileApi()
  const paths: string[] = []
  const reads: string[] = []
  const noted: FileApi = {
    ...api,
    writeFile: (path, bytes) => {
      paths.push(path)
      return api.writeFile(path, bytes)
    },
    readFile: (path) => {
      reads.push(path)
      return api.readFile(path)
    },
  }
  const workdir = join(await tempDir(), 'w')
  const options = { name: workdir, workdir, isolation: 'none', relay } as const
  const sandbox = fileSandbox({ ...noted, ...change(noted) }, options)
  onTestFinished(() => sandbox.close())
  return { sandbox, programs, paths, reads }
}

it('a closed sandbox leaves no program and no file behind', async () => {
  const { sandbox, programs, paths } = await open()
  expect(await sandbox.files.list('.')).toEqual([])
  sandbox.close()
  await vi.waitFor(async () => {
    expect(programs.map(({ exitCode }) => exitCode)).toEqual([0])
    expect(await foldersOf(paths)).toEqual([])
  })
})

it('a relay that ends by itself leaves nothing behind either, and the next one goes on', async () => {
  const { sandbox, programs, paths } = await open()
  await sandbox.files.writeAtomic('f', 'text')
  const child = await sandbox.spawn('node', ['-e', 'process.kill(process.ppid, "SIGKILL")'])
  for (const output of [child.stdout, child.stderr]) output.resume()
  await child.ended
  expect(await sandbox.files.read('f')).toBe('text')
  await vi.waitFor(async () => {
    expect(programs.map(({ exitCode }) => exitCode)).toEqual([expect.any(Number), null])
    expect(await foldersOf(paths)).toHaveLength(1)
  })
})

it('replies are removed when the host has read them', async () => {
  const { sandbox, paths, reads } = await open()
  const text = 'x'.repeat(1024 * 1024)
  await sandbox.files.writeAtomic('large', text)
  expect(await sandbox.files.read('large')).toBe(text)
  await sandbox.files.list('.')
  const [folder = ''] = await foldersOf(paths)
  await vi.waitFor(async () => {
    const replies = (await readdir(join('/tmp', folder))).filter((name) => name.startsWith('reply-'))
    expect(replies.length).toBeLessThan(3)
  })
  expect(new Set(reads).size).toBeGreaterThan(3)
})

it('a reply that is too long ends the connection', async () => {
  const { sandbox } = await open(() => ({ readFile: async () => Buffer.alloc(2 * 1024 * 1024) }))
  await expect(sandbox.files.list('.')).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('too long'),
  })
})

it('a place that starts nothing cannot be reached', async () => {
  const { sandbox } = await open(() => ({ start: () => Promise.reject(new Error('It is full')) }))
  await expect(sandbox.files.list('.')).rejects.toThrow('It is full')
})
