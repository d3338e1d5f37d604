import assert from 'node:assert/strict'
import { eventually, soon } from '../expect.ts'
import { endedBy, type SandboxCase, type SandboxContext, STAYS } from './context.ts'

/** A program that starts another one in its group. That one writes to a file until it is killed. */
const parent = (then: string): string => `
  const beats = 'setInterval(() => require("node:fs").appendFileSync("beats", "."), 10)'
  require('node:child_process').spawn(process.execPath, ['-e', beats], { stdio: 'ignore' }).unref()
  ${then}
`
const ENDS_AT_BEAT = `setInterval(() => require('node:fs').existsSync('beats') && process.exit(4), 10)`

/** A program that ends after many beats. */
const BEATS = 'let n = 0; setInterval(() => ++n === 30 && process.exit(), 10)'

const GARBAGE = ['', '0', '1', '-1', '00', '1 1 1', 'null', '../x', '\0', '{}', 'ü', '99999999999 1 x']

export const handleCases: readonly SandboxCase[] = [
  {
    name: 'kill ends a program and all that it started',
    async run(context) {
      const { detached, files } = context.sandbox
      const { handle, ended } = await context.start('node', ['-e', parent(STAYS)])
      await eventually(async () => assert.ok(await files.read('beats')))
      await detached.kill(handle)
      endedBy('SIGKILL', await soon(ended, 'the program'))
      await stopsBeating(context)
    },
  },
  {
    name: 'kill ends what a program left behind',
    async run(context) {
      const { handle, ended } = await context.start('node', ['-e', parent(ENDS_AT_BEAT)])
      assert.equal((await soon(ended, 'the program')).exitCode, 4)
      await context.sandbox.detached.kill(handle)
      await stopsBeating(context)
    },
  },
  {
    name: 'a handle names its program in another object',
    needs: 'another',
    async run({ sandbox, another, start }) {
      const { handle, ended } = await start('node', ['-e', STAYS])
      const { detached } = await another()
      assert.equal(await detached.isRunning(handle), true)
      await detached.interrupt(handle)
      endedBy('SIGTERM', await soon(ended, 'the program'))
      for (const each of [detached, sandbox.detached]) assert.equal(await each.isRunning(handle), false)
    },
  },
  {
    name: 'a handle that was changed names no program',
    async run({ sandbox: { detached }, start }) {
      const { handle } = await start('node', ['-e', STAYS])
      const middle = Math.floor(handle.length / 2)
      const changed = [
        ...GARBAGE,
        handle.slice(0, -1),
        handle.slice(1),
        `${handle}x`,
        ` ${handle}`,
        handle.slice(0, middle) + (handle[middle] === '1' ? '2' : '1') + handle.slice(middle + 1),
        handle.split(' ')[0] ?? '',
      ].filter((other) => other !== handle)
      for (const other of changed) {
        assert.equal(await detached.isRunning(other), false, `${JSON.stringify(other)} names a program`)
        await detached.interrupt(other)
        await detached.kill(other)
      }
      assert.equal(await detached.isRunning(handle), true, 'the program was ended by another handle')
    },
  },
  {
    name: 'every program has a handle of its own',
    async run({ sandbox: { detached }, start }) {
      const one = await start('node', ['-e', STAYS])
      const two = await start('node', ['-e', STAYS])
      assert.notEqual(one.handle, two.handle)
      await detached.kill(one.handle)
      await soon(one.ended, 'the program')
      assert.equal(await detached.isRunning(one.handle), false)
      assert.equal(await detached.isRunning(two.handle), true)
    },
  },
]

/** Fails when the file still grows while a new program runs. On a busy machine both are slow. */
async function stopsBeating({ sandbox: { files }, inside }: SandboxContext): Promise<void> {
  await inside(BEATS) // A killed program may have written until now.
  const before = await files.read('beats')
  await inside(BEATS)
  assert.equal(await files.read('beats'), before, 'a program that was started by the killed one still runs')
}
