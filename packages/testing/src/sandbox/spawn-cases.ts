import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { eventually, soon } from '../expect.ts'
import { endedBy, printedBy, type SandboxCase, STAYS } from './context.ts'

const READY = 'process.stdout.write("ready");'
const BIG_BYTES = 8 * 1024 * 1024

export const spawnCases: readonly SandboxCase[] = [
  {
    name: 'a program has its input and both outputs as streams, and tells its exit code',
    async run({ sandbox }) {
      const script =
        'process.stdin.on("end", () => { console.error("done"); process.exitCode = 3 }).pipe(process.stdout)'
      const child = await sandbox.spawn('node', ['-e', script])
      assert.equal(typeof child.pid, 'number')
      child.stdin.end('echoed ü')
      const all = await soon(
        Promise.all([text(child.stdout), text(child.stderr), child.ended]),
        'the program',
      )
      assert.deepEqual(all, ['echoed ü', 'done\n', { exitCode: 3, signal: null }])
    },
  },
  {
    name: 'arguments arrive as they are: no shell reads them',
    async run({ sandbox }) {
      const args = ['$HOME', '; exit 3', '"', "'", '*', '', 'ü\n', '\\', '`id`', '--']
      const script = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))'
      assert.deepEqual(JSON.parse(await printedBy(sandbox, 'node', ['-e', script, '--', ...args])), args)
    },
  },
  {
    name: 'a program that does not exist is reported by ended',
    async run({ sandbox }) {
      const child = await sandbox.spawn('no-such-program')
      child.stdout.resume()
      child.stderr.resume()
      const { error, ...end } = await soon(child.ended, 'ended')
      assert.equal(child.pid, undefined)
      assert.deepEqual(end, { exitCode: null, signal: null })
      assert.ok(error instanceof Error, 'ended has no error')
    },
  },
  {
    name: 'big outputs arrive whole, also when they are read late',
    async run({ sandbox, inside }) {
      const script = `
        const line = require('node:crypto').randomBytes(8191).toString('latin1').replace(/[^a-z]/g, 'x') + '\\n'
        const hash = require('node:crypto').createHash('sha256')
        ;(async () => {
          for (let sent = 0; sent < ${BIG_BYTES}; sent += line.length) {
            hash.update(line)
            if (!process.stdout.write(line)) await new Promise((go) => process.stdout.once('drain', go))
            if (sent === 0) require('node:fs').writeFileSync('begun', '')
          }
          process.stderr.write(hash.digest('hex'))
        })()
      `
      const child = await sandbox.spawn('node', ['-e', script])
      await eventually(async () => assert.equal(await sandbox.files.read('begun'), ''))
      // When a later program has ended, the first line has come, and a sandbox that drops it has done so.
      await inside('')
      const hash = createHash('sha256')
      let length = 0
      const read = async (): Promise<void> => {
        for await (const bytes of child.stdout) {
          hash.update(bytes)
          length += bytes.length
        }
      }
      const [expected] = await soon(Promise.all([text(child.stderr), read(), child.ended]), 'the program')
      assert.ok(length >= BIG_BYTES, `${length} bytes arrived`)
      assert.equal(hash.digest('hex'), expected)
    },
  },
  {
    name: 'an aborted signal ends a program, and so does kill()',
    async run({ sandbox }) {
      const stop = new AbortController()
      const aborted = await sandbox.spawn('node', ['-e', READY + STAYS], { signal: stop.signal })
      const killed = await sandbox.spawn('node', ['-e', READY + STAYS])
      aborted.stdout.once('data', () => stop.abort())
      killed.stdout.once('data', () => killed.kill())
      for (const { stderr, ended } of [aborted, killed]) {
        stderr.resume()
        endedBy('SIGTERM', await soon(ended, 'the program'))
      }
    },
  },
  {
    name: 'a program that ignores SIGTERM is killed',
    async run({ sandbox }) {
      const child = await sandbox.spawn('node', ['-e', `process.on("SIGTERM", () => {}); ${READY}${STAYS}`])
      child.stderr.resume()
      child.stdout.once('data', () => child.kill())
      endedBy('SIGKILL', await soon(child.ended, 'the program'))
    },
  },
  {
    name: 'a signal that was aborted before leaves no program',
    async run({ sandbox }) {
      const script = `require("node:fs").writeFileSync("begun", ""); ${STAYS}`
      const child = await sandbox.spawn('node', ['-e', script], { signal: AbortSignal.abort() })
      child.stdout.resume()
      child.stderr.resume()
      const end = await soon(child.ended, 'the program')
      // A shell in front of the program may have begun, and then reports the signal as a code.
      if (end.exitCode !== null) endedBy('SIGTERM', end)
    },
  },
]
