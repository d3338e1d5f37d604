import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { RemoteSandbox } from '@sandagent/remote'
import { type AnswerableSandbox, LocalSandbox } from '@sandagent/sdk'
import { HEAL, NO_FAULTS, report, settings } from './settings.ts'
import { SETTINGS_VARIABLE } from './settings-variable.ts'

/** The sandbox of a run on this machine, for those who answer. */
export const localSandbox = (run: number): LocalSandbox =>
  new LocalSandbox({ workdir: settings.workdirs[run] ?? '', isolation: 'none', onIsolation: () => {} })

let isHealed = false
let relays = 0
const running = new Set<ChildProcess>()

/** Ends the faults of relays. */
export const healRelays = (): void => {
  isHealed = true
  for (const relay of running) relay.kill(HEAL)
}

/** Starts a relay whose file system is faulty, too. Each has faults of its own. */
function startRelay(command: string, args: readonly string[]) {
  const own = { ...settings, seed: settings.seed + ++relays, ...(isHealed && { faults: NO_FAULTS }) }
  const env = { ...process.env, [SETTINGS_VARIABLE]: JSON.stringify(own) }
  const relay = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  running.add(relay)
  relay.once('exit', (_, signal) => {
    running.delete(relay)
    if (signal === 'SIGKILL') report({ relayKilled: true })
  })
  if (relay.pid !== undefined) report({ relay: relay.pid })
  return relay
}

/** The same sandbox behind a relay, as if it were on another machine. */
export const farSandbox = (run: number): AnswerableSandbox =>
  new RemoteSandbox({
    name: `run ${run}`,
    workdir: settings.workdirs[run] ?? '',
    isolation: 'none',
    relay: [process.execPath, '--import', settings.relayFaults, settings.command],
    connect([command, ...args]) {
      const relay = startRelay(command, args)
      const closed = Promise.race([
        once(relay, 'exit').then(([code, signal]) => `The relay ended with ${code ?? signal}`),
        once(relay, 'error').then(([error]) => String(error)),
      ])
      for (const stream of [relay.stdin, relay.stdout]) stream.on('error', () => {})
      return { stdin: relay.stdin, stdout: relay.stdout, closed, end: () => void relay.kill() }
    },
  })
