import assert from 'node:assert/strict'
import { SIGNING_KEY_VARIABLE } from '@sandagent/sdk/internal'
import { soon } from '../expect.ts'
import { printedBy, type SandboxCase, type SandboxContext } from './context.ts'

type Environment = Readonly<Record<string, string | undefined>>

const PRINT = 'process.stdout.write(JSON.stringify(process.env))'

/** Shells and Node set these themselves. */
const NOT_GIVEN = ['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_']

/** What programs of both kinds find in their environment. */
const KINDS: Record<string, (context: SandboxContext, env: Environment) => Promise<Environment>> = {
  spawned: async ({ sandbox }, env) =>
    JSON.parse(await printedBy(sandbox, 'node', ['-e', PRINT], { env })) as Environment,
  async detached({ sandbox, start }, env) {
    const stdout = `environment/${Math.random()}`
    const { ended } = await start('node', ['-e', PRINT], { env, stdout })
    assert.deepEqual(await soon(ended, 'the program'), { exitCode: 0, signal: null })
    return JSON.parse((await sandbox.files.read(stdout)) ?? '') as Environment
  },
}

export const environmentCases: readonly SandboxCase[] = Object.entries(KINDS).flatMap(
  ([kind, environmentOf]) => [
    {
      name: `a ${kind} program gets the given variables, and loses those that are undefined`,
      async run(context) {
        const own = await environmentOf(context, {
          GIVEN: 'a value = "ü"\n$HOME',
          EMPTY: '',
          NEVER_SET: undefined,
        })
        assert.equal(own.GIVEN, 'a value = "ü"\n$HOME')
        assert.equal(own.EMPTY, '')
        assert.equal('NEVER_SET' in own, false)
        assert.ok(own.PATH, 'the sandbox gives PATH')
        const name = Object.keys(own).find(
          (each) => each !== 'GIVEN' && each !== 'EMPTY' && !NOT_GIVEN.includes(each),
        )
        if (name === undefined) return
        const without = await environmentOf(context, { [name]: undefined })
        assert.equal(name in without, false, `${name} was removed, and is still there`)
      },
    },
    {
      name: `a ${kind} program never gets the host’s signing key`,
      async run(context) {
        const before = process.env[SIGNING_KEY_VARIABLE]
        process.env[SIGNING_KEY_VARIABLE] = 'the host’s key'
        try {
          const environment = await environmentOf(context, {})
          assert.ok(!JSON.stringify(environment).includes('the host’s key'), 'the program got the key')
        } finally {
          if (before === undefined) delete process.env[SIGNING_KEY_VARIABLE]
          else process.env[SIGNING_KEY_VARIABLE] = before
        }
      },
    },
  ],
)
