import assert from 'node:assert/strict'
import { eventually, soon } from '../expect.ts'
import type { SandboxCase, SandboxContext } from './context.ts'

/** No single call takes more messages than this. */
const MOST_MESSAGES = 100

/** Cuts at the first message of a call, then at the second, and so on, until the call is done before the cut comes. */
async function cutAtEvery(
  { cutAfter, sandbox }: SandboxContext,
  call: (attempt: number) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; attempt < MOST_MESSAGES; attempt++) {
    await sandbox.files.list('.') // The connection of the last attempt is there again.
    const isCut = cutAfter(attempt)
    await soon(call(attempt), `a call that is cut after ${attempt} messages`)
    if (!isCut()) {
      assert.ok(attempt > 0, 'no message was cut')
      return
    }
  }
  assert.fail(`a call takes more than ${MOST_MESSAGES} messages`)
}

export const cutCases: readonly SandboxCase[] = [
  {
    name: 'a read is answered when the connection is cut at any message',
    needs: 'cutAfter',
    async run(context) {
      const { files } = context.sandbox
      await files.writeAtomic('f', 'text')
      await cutAtEvery(context, async () => assert.equal(await files.read('f'), 'text'))
    },
  },
  {
    name: 'a writer that creates a file succeeds when the connection is cut at any message',
    needs: 'cutAfter',
    async run(context) {
      const { files } = context.sandbox
      await cutAtEvery(context, async (attempt) => {
        await files.writeAtomic(`a/${attempt}`, `text ${attempt}`, { exclusive: true })
        assert.equal(await files.read(`a/${attempt}`), `text ${attempt}`)
      })
    },
  },
  {
    name: 'a writer with a claim succeeds when the connection is cut at any message',
    needs: 'cutAfter',
    async run(context) {
      const { files } = context.sandbox
      await cutAtEvery(context, async (attempt) => {
        await files.writeAtomic(`a/${attempt}`, `text ${attempt}`, { claim: `.${attempt}.final` })
        assert.equal(await files.read(`a/${attempt}`), `text ${attempt}`)
      })
    },
  },
  {
    name: 'a program begins at most once when the connection is cut at any message of its start',
    needs: 'cutAfter',
    async run(context) {
      const { sandbox, start } = context
      await cutAtEvery(context, async (attempt) => {
        const counter = `begun-${attempt}`
        const script = `require("node:fs").appendFileSync("${counter}", "x")`
        try {
          const { handle } = await start('node', ['-e', script], { beforeStart: async () => {} })
          await eventually(async () => assert.equal(await sandbox.detached.isRunning(handle), false))
          assert.equal(
            await sandbox.files.read(counter),
            'x',
            'start resolved, and the program did not run once',
          )
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
          assert.equal(
            await sandbox.files.read(counter),
            null,
            `start failed (${error}), and the program ran`,
          )
        }
      })
    },
  },
  {
    name: 'a detached program goes on when the connection is cut',
    needs: 'cutAfter',
    async run({ sandbox, start, cutAfter }) {
      const script =
        'const end = setInterval(() => require("node:fs").existsSync("go") && process.exit(5), 10)'
      const { handle, ended } = await start('node', ['-e', script])
      cutAfter(0)
      assert.equal(await sandbox.detached.isRunning(handle), true)
      await sandbox.files.writeAtomic('go', '')
      await soon(ended, 'the program')
      assert.equal(await sandbox.detached.isRunning(handle), false)
    },
  },
  {
    name: 'a watch reports again after the connection was cut',
    needs: 'cutAfter',
    async run({ sandbox: { files }, inside, cutAfter }) {
      if (!files.watch) return
      await files.writeAtomic('a/f', '0')
      let reports = 0
      const stop = files.watch('a', () => reports++)
      try {
        await eventually(async () => {
          await inside('require("node:fs").writeFileSync("a/f", String(Math.random()))')
          assert.ok(reports > 0, 'no report before the cut')
        })
        cutAfter(0)
        const before = reports
        await eventually(() => assert.ok(reports > before, 'no report after the cut'))
        const after = reports
        await eventually(async () => {
          await inside('require("node:fs").writeFileSync("a/f", String(Math.random()))')
          assert.ok(reports > after, 'no report of a change after the cut')
        })
      } finally {
        stop()
      }
    },
  },
  {
    name: 'a spawned program ends with its connection, and ended says so',
    needs: 'cutAfter',
    async run({ sandbox, cutAfter }) {
      const child = await sandbox.spawn('node', [
        '-e',
        'process.stdout.write("ready"); setInterval(() => {}, 60_000)',
      ])
      child.stdin.on('error', () => {})
      child.stderr.resume()
      child.stdout.once('data', () => cutAfter(0)).on('error', () => {})
      assert.notEqual((await soon(child.ended, 'the program')).exitCode, 0)
    },
  },
]
