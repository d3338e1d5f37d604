import assert from 'node:assert/strict'
import { createFileHostChannel, questionRecordPath, type SandboxFiles } from '@sandagent/files'
import { eventually } from '../expect.ts'
import { withChanges } from '../store/context.ts'
import { openRecord } from '../store/records.ts'
import type { SandboxCase } from './context.ts'

/** Writes a file as runners do: under another name, then renamed. */
const PUT = `
  const fs = require('node:fs'), path = require('node:path')
  const [, target, text] = process.argv
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target + '.other', text)
  fs.renameSync(target + '.other', target)
`

/** The same files, with a watch that misses everything. */
const deaf = (files: SandboxFiles): SandboxFiles => ({
  id: files.id,
  read: (path) => files.read(path),
  writeAtomic: (path, text, options) => files.writeAtomic(path, text, options),
  list: (folder) => files.list(folder),
  ...(files.stamps && {
    stamps: (folder: string) => files.stamps?.(folder) as Promise<ReadonlyMap<string, string>>,
  }),
  watch: () => () => {},
})

export const watchCases: readonly SandboxCase[] = [
  {
    name: 'a watch reports what a program changes, and nothing after it was stopped',
    async run({ sandbox: { files }, inside }) {
      if (!files.watch) return
      await files.writeAtomic('a/f', '0')
      const reports: (string | null)[] = []
      const stop = files.watch('a', (name) => reports.push(name))
      try {
        for (let n = 1; n <= 2; n++) {
          const before = reports.length
          // The first change may come before the watch has begun.
          await eventually(async () => {
            await inside(PUT, 'a/f', String(Math.random()))
            const names = reports.slice(before)
            assert.ok(names.includes('f') || names.includes(null), 'no report of the change')
          })
        }
      } finally {
        stop()
      }
      const reported = reports.length
      await inside(PUT, 'a/f', 'late')
      assert.equal(await files.read('a/f'), 'late')
      assert.equal(reports.length, reported, 'a report came after the watch was stopped')
    },
  },
  {
    name: 'a host whose watch misses everything sees questions and their changes by polling',
    async run({ sandbox: { files }, inside }) {
      const host = createFileHostChannel({ files: deaf(files) })
      await withChanges(host, async (changed) => {
        const record = openRecord('t1')
        await inside(PUT, questionRecordPath('t1'), JSON.stringify(record))
        await changed((state) => state.record?.runId === record.runId)
        await inside(PUT, questionRecordPath('t1'), JSON.stringify({ ...record, runId: 'run-2' }))
        await changed((state) => state.record?.runId === 'run-2')
      })
    },
  },
  {
    name: 'stamps name the same files as list, and change with a file of the same size',
    async run({ sandbox: { files }, inside }) {
      if (!files.stamps) return
      assert.equal((await files.stamps('no/folder')).size, 0)
      await inside(PUT, 'a/f', 'text')
      await inside(PUT, 'a/.g', 'text')
      let before = await files.stamps('a')
      assert.deepEqual([...before.keys()].sort(), (await files.list('a')).sort())
      for (const text of ['next', 'last']) {
        await inside(PUT, 'a/f', text)
        const after = await files.stamps('a')
        assert.notEqual(after.get('f'), before.get('f'), 'the file changed, and its stamp did not')
        assert.equal(after.get('.g'), before.get('.g'))
        before = after
      }
    },
  },
  {
    name: 'removeOld removes old entries that may go, and nothing else',
    async run({ sandbox: { files }, inside }) {
      if (!files.removeOld) return
      for (const name of ['old', '.old', 'kept', 'young']) await files.writeAtomic(`a/${name}`, name)
      const age =
        'for (const name of ["old", ".old", "kept"]) require("node:fs").utimesSync("a/" + name, 1e9, 1e9)'
      await inside(age)
      const asked: string[] = []
      const mayGo = async (name: string): Promise<boolean> => {
        asked.push(name)
        return name !== 'kept'
      }
      const { modifiedAt = 0 } = (await files.stat('a/young')) ?? {}
      await files.removeOld('a', { olderThanMs: 60_000, now: modifiedAt + 1000, mayGo })
      assert.deepEqual(asked.toSorted(), ['.old', 'kept', 'old'])
      assert.equal(asked[0], '.old', 'entries that begin with a dot come first')
      assert.deepEqual((await files.list('a')).sort(), ['kept', 'young'])
      await files.removeOld('no/folder', { olderThanMs: 1, now: modifiedAt, mayGo })
    },
  },
]
