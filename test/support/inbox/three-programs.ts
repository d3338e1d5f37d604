import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { type InboxServer, main, startInbox } from '../servers/inbox-server.ts'

const run = (command: string, ...args: string[]) => ({ run: { command, args, needsApproval: true } })

/** An inbox, and commands of the same user. */
export interface ThreePrograms {
  workdir: string
  server: InboxServer
  /** Runs `sandagent` to its end. */
  command(...args: string[]): Promise<{ stdout: string }>
  /** A script asks to run `node one.js`, `node two.js`, `ls` and `node three.js`. Resolves when it has ended. */
  runScript(): Promise<unknown>
}

export async function threePrograms(): Promise<ThreePrograms> {
  const [workdir, config] = [await tempDir(), await tempDir()]
  const env = { XDG_CONFIG_HOME: config }
  const scenario = join(workdir, 'scenario.json')
  const steps = [run('node', 'one.js'), run('node', 'two.js'), run('ls'), run('node', 'three.js')]
  await writeFile(scenario, JSON.stringify({ title: 'Three programs', steps }))
  for (const name of ['one.js', 'two.js', 'three.js']) await writeFile(join(workdir, name), 'console.log(1)')
  const command = (...args: string[]): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [main, ...args], { env: { ...process.env, ...env } })
  return {
    workdir,
    server: await startInbox(['--workdir', workdir], { env }),
    command,
    runScript() {
      const words = ['run', '--agent', 'scripted', '--scenario', scenario, '--workdir', workdir]
      const running = command(...words, '--format', 'stream')
      // A test that fails before it ends says why by itself.
      running.catch(() => {})
      return running
    },
  }
}
