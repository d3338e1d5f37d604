import { basename } from 'node:path'
import type { FleetStore } from '@sandagent/fleet'
import { fleetSandbox, mirrorQuestions } from '@sandagent/fleet-host'
import type { AnswerableSandbox, RunSandbox } from '@sandagent/sdk'

/** The questions of the demo in a store, which other hosts may share. */
export interface DemoStore {
  /** For people: their answers go into the store, and from there to the agent. */
  questions: AnswerableSandbox
  /** The name of the demo's questions in the store. */
  namespace: string
  close(): Promise<void>
}

/** Shows the questions of a sandbox in the store at this address. @throws Error for an address of another kind */
export async function openStore(address: string, sandbox: RunSandbox): Promise<DemoStore> {
  const fleet = await fleetAt(address)
  const namespace = basename(sandbox.workdir)
    .replace(/[^\w-]/g, '-')
    .slice(0, 100)
  const stop = new AbortController()
  const mirror = mirrorQuestions(sandbox, { fleet, namespace, signal: stop.signal })
  return {
    questions: fleetSandbox(fleet, namespace),
    namespace,
    async close() {
      stop.abort()
      try {
        await mirror
      } finally {
        await fleet.close()
      }
    },
  }
}

async function fleetAt(address: string): Promise<FleetStore> {
  if (/^postgres(ql)?:\/\//.test(address))
    return (await import('@sandagent/postgres')).createPostgresFleet({ connectionString: address })
  if (/^(nats|tls):\/\//.test(address))
    return (await import('@sandagent/nats')).createNatsFleet({ servers: address })
  throw new Error('--store takes postgres://USER:PASSWORD@HOST/DATABASE or nats://HOST')
}
