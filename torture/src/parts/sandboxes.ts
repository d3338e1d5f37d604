import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AnswerableSandbox, LocalSandbox } from '@sandagent/sdk'
import { RemoteSandbox } from '@sandagent/sdk/remote'
import { report, settings } from './settings.ts'

/** The sandbox of a run on this machine, for those who answer. */
export const localSandbox = (run: number): LocalSandbox =>
  new LocalSandbox({ workdir: settings.workdirs[run] ?? '', isolation: 'none', onIsolation: () => {} })

/** The same sandbox behind a relay, as if it were on another machine. */
export const farSandbox = (run: number): AnswerableSandbox =>
  new RemoteSandbox({
    name: `run ${run}`,
    workdir: settings.workdirs[run] ?? '',
    isolation: 'none',
    relay: [process.execPath, settings.command],
    connect([command, ...args]) {
      const relay = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
      if (relay.pid !== undefined) report({ relay: relay.pid })
      const closed = Promise.race([
        once(relay, 'exit').then(([code, signal]) => `The relay ended with ${code ?? signal}`),
        once(relay, 'error').then(([error]) => String(error)),
      ])
      for (const stream of [relay.stdin, relay.stdout]) stream.on('error', () => {})
      return { stdin: relay.stdin, stdout: relay.stdout, closed, end: () => void relay.kill() }
    },
  })
