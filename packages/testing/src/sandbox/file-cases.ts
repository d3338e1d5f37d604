import assert from 'node:assert/strict'
import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { refuses, sameText } from '../expect.ts'
import type { SandboxCase } from './context.ts'

/** Writes bytes, given in hexadecimal, into a file. */
const WRITE_BYTES = 'require("node:fs").writeFileSync(process.argv[1], Buffer.from(process.argv[2], "hex"))'
/** Makes a file of so many bytes. */
const MAKE_LONG =
  'const fs = require("node:fs"); fs.writeFileSync(process.argv[1], ""); fs.truncateSync(process.argv[1], Number(process.argv[2]))'

export const fileCases: readonly SandboxCase[] = [
  {
    name: 'a workdir is an absolute path',
    async run({ sandbox, inside }) {
      assert.match(sandbox.workdir, /^(\/|[A-Za-z]:[\\/])/)
      assert.equal(await inside('process.stdout.write(process.cwd())'), sandbox.workdir)
    },
  },
  {
    name: 'a file is read as it was written, and its folders are made',
    async run({ sandbox: { files }, inside }) {
      const texts = ['', 'ü€😀\r\n\0 end', 'x'.repeat(MAX_FILE_BYTES)]
      for (const [index, text] of texts.entries()) {
        await files.writeAtomic(`a/b/${index}`, text)
        sameText(await files.read(`a/b/${index}`), text, `text ${index}`)
      }
      const script = 'process.stdout.write(require("node:fs").readFileSync("a/b/1"))'
      assert.equal(await inside(script), texts[1])
    },
  },
  {
    name: 'a missing file is null, and a missing folder has no names',
    async run({ sandbox: { files } }) {
      for (const path of ['missing', 'no/folder/here']) {
        assert.equal(await files.read(path), null)
        assert.equal(await files.stat(path), null)
        assert.equal(await files.readFrom(path, 0), null)
        assert.deepEqual(await files.list(path), [])
        await files.remove(path)
        await files.sync?.(path)
      }
    },
  },
  {
    name: 'list gives every name, also those that begin with a dot',
    async run({ sandbox: { files }, inside }) {
      for (const path of ['a/x.json', 'a/.x.final', 'a/...', 'a/ü b']) await files.writeAtomic(path, 'text')
      await inside('require("node:fs").writeFileSync("a/by-a-program", "")')
      const names = (await files.list('a')).filter((name) => !/^\..*\.tmp$/.test(name))
      assert.deepEqual(names.sort(), ['...', '.x.final', 'by-a-program', 'x.json', 'ü b'].sort())
      assert.equal(await files.read('a/...'), 'text')
      assert.ok((await files.list('.')).includes('a'), 'list(".") lists the workdir')
    },
  },
  {
    name: 'a reader sees the old text or the new text, and no part of one',
    async run({ sandbox: { files } }) {
      const texts = ['a', 'b'].map((letter) => letter.repeat(600_000))
      await files.writeAtomic('f', texts[0] as string)
      let writing = true
      const write = async (): Promise<void> => {
        for (let n = 1; n <= 6; n++) await files.writeAtomic('f', texts[n % 2] as string)
        writing = false
      }
      const read = async (): Promise<void> => {
        while (writing) assert.ok(texts.includes((await files.read('f')) ?? ''), 'a part of a text was read')
      }
      await Promise.all([write(), read(), read()])
    },
  },
  {
    name: 'a file of 1 MiB is read, and a longer one is TOO_LARGE',
    async run({ sandbox: { files }, inside }) {
      await inside(MAKE_LONG, 'full', String(MAX_FILE_BYTES))
      sameText(await files.read('full'), '\0'.repeat(MAX_FILE_BYTES), 'a file of 1 MiB')
      for (const size of [MAX_FILE_BYTES + 1, 2 ** 31]) {
        await inside(MAKE_LONG, 'long', String(size))
        await refuses('TOO_LARGE', files.read('long'), `read of ${size} bytes`)
      }
    },
  },
  {
    name: 'bytes that are no UTF-8 are read as replacement characters, and readFrom gives them as they are',
    async run({ sandbox: { files }, inside }) {
      await inside(WRITE_BYTES, 'f', '7bff80c37d')
      assert.equal(await files.read('f'), '{\ufffd\ufffd\ufffd}')
      assert.equal(Buffer.from((await files.readFrom('f', 0)) ?? []).toString('hex'), '7bff80c37d')
    },
  },
  {
    name: 'a workdir that is missing is UNREACHABLE, and its files are not called missing',
    needs: 'loseWorkdir',
    async run({ sandbox: { files }, loseWorkdir }) {
      await files.writeAtomic('f', 'text')
      await loseWorkdir()
      await refuses('UNREACHABLE', files.read('f'), 'read')
      await refuses('UNREACHABLE', files.read('a/f'), 'read in a folder')
      await refuses('UNREACHABLE', files.list('a'), 'list')
    },
  },
]
