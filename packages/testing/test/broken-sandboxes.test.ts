import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LocalSandbox, type RunSandbox } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sandboxContract } from '../src/index.ts'

type Files = RunSandbox['files']
type Detached = RunSandbox['detached']

const withFiles = (change: (files: Files, workdir: string) => Partial<Files>) => (local: RunSandbox) => ({
  ...plain(local),
  files: { ...local.files, ...change(local.files, local.workdir) },
})

const withDetached =
  (change: (detached: Detached, local: RunSandbox) => Partial<Detached>) => (local: RunSandbox) => ({
    ...plain(local),
    detached: { ...local.detached, ...change(local.detached, local) },
  })

const plain = (local: RunSandbox): RunSandbox => ({
  workdir: local.workdir,
  files: local.files,
  detached: local.detached,
  spawn: (...args) => local.spawn(...args),
})

/** The process number in a handle. */
const pidOf = (handle: string): number => Number(handle.split(' ')[0])

/** Sandboxes with one fault each, and a case of the contract that must find it. */
const BROKEN: Record<string, { as: (local: RunSandbox) => RunSandbox; foundBy: string }> = {
  'creates files that exist': {
    as: withFiles(({ writeAtomic }) => ({ writeAtomic: (path, text) => writeAtomic(path, text) })),
    foundBy: 'of several writers that create a file, one succeeds and the others get CONFLICT',
  },
  'looks whether a file exists, and then creates it': {
    as: withFiles(({ read, writeAtomic }) => ({
      async writeAtomic(path, text, { exclusive } = {}) {
        if (exclusive && (await read(path)) !== null) throw Object.assign(new Error(), { code: 'CONFLICT' })
        await writeAtomic(path, text)
      },
    })),
    foundBy: 'of several writers that create a file, one succeeds and the others get CONFLICT',
  },
  'writes the file before the claim': {
    as: withFiles(({ writeAtomic }) => ({
      async writeAtomic(path, text, { claim, ...options } = {}) {
        await writeAtomic(path, text, options)
        if (claim) await writeAtomic(join(path, '..', claim), text, { exclusive: true })
      },
    })),
    foundBy: 'a writer whose claim is taken leaves the file alone',
  },
  'writes in place': {
    as: withFiles(({ writeAtomic }, workdir) => ({
      async writeAtomic(path, text, options) {
        if (options?.exclusive || options?.claim || path.includes('/'))
          return writeAtomic(path, text, options)
        await writeFile(join(workdir, path), text.slice(0, text.length / 2))
        await pause(50)
        await writeFile(join(workdir, path), text)
      },
    })),
    foundBy: 'a reader sees the old text or the new text, and no part of one',
  },
  'follows links': {
    as: withFiles((_, workdir) => ({ read: (path) => readFile(join(workdir, path), 'utf8') })),
    foundBy: 'a link in the place of a file is not followed, also a dangling one',
  },
  'takes what cannot be read for missing': {
    as: withFiles(({ read }) => ({ read: (path) => read(path).catch(() => null) })),
    foundBy:
      'a workdir that is missing is UNREACHABLE, and its files are not called missing (needs loseWorkdir)',
  },
  'lists no names with a dot': {
    as: withFiles(({ list }) => ({
      list: async (folder) => (await list(folder)).filter((name) => !name.startsWith('.')),
    })),
    foundBy: 'list gives every name, also those that begin with a dot',
  },
  'remembers lists until its watch reports': {
    as: withFiles(({ list }) => {
      const known = new Map<string, Promise<string[]>>()
      return {
        stamps: undefined as never,
        list: (folder) => known.get(folder) ?? known.set(folder, list(folder)).get(folder) ?? [],
      } as Partial<Files>
    }),
    foundBy: 'a host whose watch misses everything sees questions and their changes by polling',
  },
  'stamps files by their size': {
    as: withFiles(({ list, stat }) => ({
      stamps: async (folder) =>
        new Map(
          await Promise.all(
            (await list(folder)).map(
              async (name) => [name, String((await stat(`${folder}/${name}`))?.size)] as const,
            ),
          ),
        ),
    })),
    foundBy: 'stamps name the same files as list, and change with a file of the same size',
  },
  'reports changes after its watch was stopped': {
    as: withFiles(({ watch }) => ({
      watch(folder, onChange) {
        const stop = watch?.(folder, onChange)
        onTestFinished(() => stop?.())
        return () => onChange(null)
      },
    })),
    foundBy: 'a watch reports what a program changes, and nothing after it was stopped',
  },
  'reads text where bytes are asked for': {
    as: withFiles(({ read }) => ({
      readFrom: async (path, offset) => Buffer.from(((await read(path)) ?? '').slice(offset)),
    })),
    foundBy: 'readFrom gives at least one byte when few are asked for, also within a character',
  },
  'never calls beforeStart': {
    as: withDetached(({ start }) => ({
      start: (command, args, { stdout, stderr, env }) => start(command, args, { stdout, stderr, env }),
    })),
    foundBy: 'a program begins only after beforeStart has resolved',
  },
  'calls beforeStart when the program has begun': {
    as: withDetached(({ start }, { files }) => ({
      async start(command, args, { beforeStart, ...options }) {
        const program = await start(command, args, options)
        while ((await files.read('begun')) === null) await pause(5)
        await beforeStart?.(program.handle)
        return program
      },
    })),
    foundBy: 'a program begins only after beforeStart has resolved',
  },
  'overwrites outputs that exist': {
    as: withDetached(({ start }, { files }) => ({
      async start(command, args, options) {
        await Promise.all([options.stdout, options.stderr].map((path) => files.remove(path)))
        return start(command, args, options)
      },
    })),
    foundBy: 'an output that exists is a CONFLICT, also a link, and nothing begins',
  },
  'names programs by their process number': {
    as: withDetached(({ start }) => ({
      async start(command, args, { beforeStart, ...options }) {
        const named = {
          ...options,
          beforeStart: async (handle: string) => beforeStart?.(String(pidOf(handle))),
        }
        const { handle, ended } = await start(command, args, named)
        return { handle: String(pidOf(handle)), ended }
      },
      isRunning: async (handle) => {
        try {
          return process.kill(Number.parseInt(handle, 10), 0)
        } catch {
          return false
        }
      },
      interrupt: async () => {},
      kill: async (handle) =>
        void (pidOf(handle) > 1 && /^\d+$/.test(handle) && process.kill(pidOf(handle), 'SIGKILL')),
    })),
    foundBy: 'a handle that was changed names no program',
  },
  'kills the program alone': {
    as: withDetached(({ isRunning, kill }) => ({
      async kill(handle) {
        if (!(await isRunning(handle))) return kill(handle)
        process.kill(pidOf(handle), 'SIGKILL')
        // The test leaves nothing behind.
        onTestFinished(() => kill(handle))
      },
    })),
    foundBy: 'kill ends a program and all that it started',
  },
  'passes on the variables of the host': {
    as: (local) => ({
      ...plain(local),
      spawn: (command, args, options) =>
        local.spawn(command, args, { ...options, env: { ...process.env, ...options?.env } }),
    }),
    foundBy: 'a spawned program never gets the host’s signing key',
  },
  'drops what is printed before somebody reads': {
    as: (local) => ({
      ...plain(local),
      async spawn(...args) {
        const child = await local.spawn(...args)
        child.stdout.resume()
        return child
      },
    }),
    foundBy: 'big outputs arrive whole, also when they are read late',
  },
}

describe('the contract finds a sandbox that', () => {
  it.each(Object.entries(BROKEN))('%s', async (_, { as, foundBy }) => {
    const remove = ({ workdir }: RunSandbox) => rm(workdir, { recursive: true, force: true, maxRetries: 5 })
    const makeSandbox = async (): Promise<RunSandbox> => {
      const workdir = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-test-')))
      return as(new LocalSandbox({ workdir, isolation: 'none' }))
    }
    const contract = sandboxContract(makeSandbox, { remove, loseWorkdir: remove })
    const found = contract.find(({ name }) => name === foundBy)
    // What never comes is given up after few looks.
    let now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 3000
      return now
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await expect(found?.run()).rejects.toMatchObject({ name: 'AssertionError' })
  })

  it('cannot do what a case needs, by leaving that case out', () => {
    const names = sandboxContract(() => expect.unreachable()).map(({ name }) => name)
    expect(names.filter((name) => name.includes('needs'))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })
})
