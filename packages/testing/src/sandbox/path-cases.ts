import assert from 'node:assert/strict'
import type { RunFiles } from '@sandagent/files'
import { refuses } from '../expect.ts'
import type { SandboxCase } from './context.ts'

/** Paths that lead out, and texts that are no path. */
const UNSAFE = ['..', '../f', '/etc/hostname', 'a/../../f', 'a/..', './f', 'a//f', 'a/', '', 'f\0g']

const LINK = 'require("node:fs").symlinkSync(process.argv[1], process.argv[2])'

/** Every call that takes the path of a file. */
const calls = (files: RunFiles): Record<string, (path: string) => Promise<unknown>> => ({
  read: (path) => files.read(path),
  readFrom: (path) => files.readFrom(path, 0),
  stat: (path) => files.stat(path),
  writeAtomic: (path) => files.writeAtomic(path, 'written'),
  'writeAtomic exclusive': (path) => files.writeAtomic(path, 'written', { exclusive: true }),
  remove: (path) => files.remove(path),
})

export const pathCases: readonly SandboxCase[] = [
  {
    name: 'a path that leads out is UNSAFE_PATH in every call',
    async run({ sandbox: { files } }) {
      await files.writeAtomic('a/f', 'text')
      for (const path of UNSAFE) {
        for (const [name, call] of Object.entries(calls(files)))
          await refuses('UNSAFE_PATH', call(path), `${name}(${JSON.stringify(path)})`)
        await refuses('UNSAFE_PATH', files.list(path), `list(${JSON.stringify(path)})`)
      }
      assert.equal(await files.read('a/f'), 'text')
    },
  },
  {
    name: 'the workdir itself is never written, nor removed',
    async run({ sandbox: { files } }) {
      await files.writeAtomic('f', 'text')
      for (const call of ['read', 'writeAtomic', 'remove'])
        await refuses('UNSAFE_PATH', calls(files)[call]?.('.') as Promise<unknown>, `${call}(".")`)
      assert.equal(await files.read('f'), 'text')
    },
  },
  {
    name: 'a link in the place of a file is not followed, also a dangling one',
    async run({ sandbox: { files }, inside }) {
      await files.writeAtomic('target', 'x'.repeat(100_000))
      const targets = { link: 'target', dangling: 'nowhere', loop: 'loop', out: '/etc/passwd' }
      for (const [path, target] of Object.entries(targets)) {
        await inside(LINK, target, path)
        await refuses('UNSAFE_PATH', files.read(path), `read(${path})`)
        await refuses('UNSAFE_PATH', files.readFrom(path, 0), `readFrom(${path})`)
        const { size = 0 } = (await files.stat(path)) ?? {}
        assert.ok(size < 1000, `stat(${path}) tells of the file behind the link`)
      }
    },
  },
  {
    name: 'a link in the way of a writer is replaced, and what it leads to is left alone',
    async run({ sandbox: { files }, inside }) {
      await files.writeAtomic('target', 'untouched')
      for (const [path, target] of Object.entries({ link: 'target', dangling: 'nowhere' })) {
        await inside(LINK, target, path)
        await refuses('CONFLICT', files.writeAtomic(path, 'new', { exclusive: true }), `exclusive at ${path}`)
        await refuses('CONFLICT', files.writeAtomic('f', 'new', { claim: path }), `the claim ${path}`)
        assert.equal(await files.read('f'), null)
        await files.writeAtomic(path, 'new')
        assert.equal(await files.read(path), 'new')
      }
      assert.equal(await files.read('target'), 'untouched')
      assert.equal(await files.read('nowhere'), null)
    },
  },
  {
    name: 'a link in the place of a folder is UNSAFE_PATH in every call, wherever it leads',
    async run({ sandbox, inside }) {
      const { files } = sandbox
      await files.writeAtomic('folder/f', 'text')
      await inside(LINK, 'folder', 'inside')
      await inside(LINK, '..', 'out')
      await inside(LINK, 'nowhere', 'dangling')
      for (const folder of ['inside', 'out', 'dangling']) {
        for (const [name, call] of Object.entries(calls(files)))
          await refuses('UNSAFE_PATH', call(`${folder}/f`), `${name}(${folder}/f)`)
        await refuses('UNSAFE_PATH', files.list(folder), `list(${folder})`)
      }
      assert.equal(await files.read('folder/f'), 'text')
      assert.deepEqual(await files.list('folder'), ['f'])
      assert.deepEqual(await files.list('nowhere'), [])
    },
  },
  {
    name: 'a folder is no file, and a file is no folder',
    async run({ sandbox: { files } }) {
      await files.writeAtomic('folder/f', 'text')
      await refuses('UNSAFE_PATH', files.read('folder'), 'read of a folder')
      await refuses('UNSAFE_PATH', files.readFrom('folder', 0), 'readFrom of a folder')
      await refuses('UNSAFE_PATH', files.read('folder/f/x'), 'read below a file')
      await refuses('UNSAFE_PATH', files.writeAtomic('folder/f/x', ''), 'writeAtomic below a file')
      assert.equal(await files.read('folder/f'), 'text')
    },
  },
  {
    name: 'a reader does not wait at a named pipe',
    async run({ sandbox: { files }, inside }) {
      await inside('require("node:child_process").execFileSync("mkfifo", ["pipe"])')
      await refuses('UNSAFE_PATH', files.read('pipe'), 'read of a pipe')
      await refuses('UNSAFE_PATH', files.readFrom('pipe', 0), 'readFrom of a pipe')
    },
  },
  {
    name: 'remove takes a folder with all that is in it, and links instead of what they lead to',
    async run({ sandbox: { files }, inside }) {
      await files.writeAtomic('kept/f', 'text')
      await files.writeAtomic('a/b/c/f', 'text')
      await inside(LINK, '../kept', 'a/link')
      await inside(LINK, 'nowhere', 'a/dangling')
      await inside(LINK, 'kept', 'link')
      for (const path of ['link', 'a', 'a']) await files.remove(path)
      const names = await files.list('.')
      assert.ok(!names.includes('a') && !names.includes('link'), `there is still ${names}`)
      assert.equal(await files.read('kept/f'), 'text')
      await files.remove('kept/f')
      assert.deepEqual(await files.list('kept'), [])
    },
  },
]
