import assert from 'node:assert/strict'
import { eventually, refuses, soon } from '../expect.ts'
import { endedBy, type SandboxCase, type SandboxContext, STAYS } from './context.ts'

const BEGIN = 'require("node:fs").appendFileSync("begun", "once ");'

const begun = ({ sandbox }: SandboxContext): Promise<string | null> => sandbox.files.read('begun')

export const detachedCases: readonly SandboxCase[] = [
  {
    name: 'a detached program writes each output into a new file, and its folders are made',
    async run({ sandbox, start }) {
      const script = 'console.log("out", process.cwd()); console.error("err"); process.exitCode = 7'
      const { ended } = await start('node', ['-e', script], { stdout: 'runs/1/out', stderr: 'runs/2/err' })
      assert.deepEqual(await soon(ended, 'the program'), { exitCode: 7, signal: null })
      assert.equal(await sandbox.files.read('runs/1/out'), `out ${sandbox.workdir}\n`)
      assert.equal(await sandbox.files.read('runs/2/err'), 'err\n')
    },
  },
  {
    name: 'the input of a detached program is at its end',
    async run({ start }) {
      const { ended } = await start('node', ['-e', 'process.stdin.on("end", () => process.exit(7)).resume()'])
      assert.deepEqual(await soon(ended, 'the program'), { exitCode: 7, signal: null })
    },
  },
  {
    name: 'a detached program gets its arguments as they are',
    async run({ sandbox, start }) {
      const args = ['$HOME', '; exit 3', '"', "'", '*', '', 'ü\n', '\\', '--']
      const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
      const { ended } = await start('node', ['-e', script, '--', ...args], { stdout: 'out' })
      await soon(ended, 'the program')
      assert.deepEqual(JSON.parse((await sandbox.files.read('out')) ?? ''), args)
    },
  },
  {
    name: 'a program begins only after beforeStart has resolved',
    async run(context) {
      const { sandbox, start, inside } = context
      let given: string | undefined
      const { handle, ended } = await start('node', ['-e', BEGIN], {
        async beforeStart(name) {
          given = name
          assert.equal(await sandbox.detached.isRunning(name), true, 'the handle names what is being started')
          await sandbox.files.writeAtomic('record', name)
          await inside('') // A program that had begun would be done by now.
          await inside('')
          assert.equal(await begun(context), null, 'the program began before')
        },
      })
      assert.equal(given, handle, 'beforeStart was not called with the handle')
      assert.deepEqual(await soon(ended, 'the program'), { exitCode: 0, signal: null })
      assert.equal(await begun(context), 'once ')
      assert.equal(await sandbox.files.read('record'), handle)
    },
  },
  {
    name: 'a program never begins when beforeStart rejects',
    async run(context) {
      const { sandbox, start, inside } = context
      let given = ''
      const started = start('node', ['-e', BEGIN + STAYS], {
        async beforeStart(name) {
          given = name
          throw new Error('no record')
        },
      })
      await assert.rejects(started, /no record/)
      await inside('')
      await inside('')
      assert.equal(await begun(context), null)
      assert.equal(await sandbox.detached.isRunning(given), false)
    },
  },
  {
    name: 'an output that exists is a CONFLICT, also a link, and nothing begins',
    async run(context) {
      const { sandbox, start, inside } = context
      await sandbox.files.writeAtomic('taken', 'text')
      await inside('require("node:fs").symlinkSync("nowhere", "link")')
      for (const outputs of [{ stdout: 'taken' }, { stderr: 'taken', stdout: 'free' }, { stdout: 'link' }])
        await refuses('CONFLICT', start('node', ['-e', BEGIN], outputs), JSON.stringify(outputs))
      assert.equal(await begun(context), null)
      assert.equal(await sandbox.files.read('taken'), 'text')
      assert.equal(await sandbox.files.read('nowhere'), null)
    },
  },
  {
    name: 'an output outside of the workdir is UNSAFE_PATH',
    run: ({ start }) => refuses('UNSAFE_PATH', start('node', ['-e', ''], { stdout: '../out' })),
  },
  {
    name: 'a detached program that does not exist is NOT_FOUND',
    run: ({ start }) => refuses('NOT_FOUND', start('no-such-program', [])),
  },
  {
    name: 'an argument with a NUL is INVALID_REQUEST',
    run: ({ start }) => refuses('INVALID_REQUEST', start('node', ['-e', '', 'a\0b'])),
  },
  {
    name: 'interrupt asks a program to end',
    async run({ sandbox: { detached, files }, start }) {
      const { handle, ended } = await start('node', ['-e', `console.log("ready"); ${STAYS}`], {
        stdout: 'out',
      })
      await eventually(async () => assert.equal(await files.read('out'), 'ready\n'))
      assert.equal(await detached.isRunning(handle), true)
      await detached.interrupt(handle)
      endedBy('SIGTERM', await soon(ended, 'the program'))
      assert.equal(await detached.isRunning(handle), false)
      await detached.interrupt(handle)
      await detached.kill(handle)
    },
  },
]
