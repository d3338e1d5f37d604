import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunnerQuestions } from '@sandagent/core/store'
import { createMemoryFleet, type FleetStore } from '@sandagent/fleet'
import { httpQuestions } from '@sandagent/fleet/internal'
import { createSigningKey, parseSigningKeys, type SigningKeys, toNodeHandler } from '@sandagent/sdk'
import { createRunnerHandler } from '../../src/runner-handler.ts'
import { createRunnerToken, type RunnerAccess } from '../../src/runner-token.ts'

export interface HttpRunners {
  fleet: FleetStore
  signingKeys: SigningKeys
  url: string
  server: Server
  token(access?: Partial<RunnerAccess>): Promise<string>
  close(): Promise<void>
}

/** A host that serves the runners of a fleet in memory. */
export async function serveRunners(fleet: FleetStore = createMemoryFleet()): Promise<HttpRunners> {
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const handler = createRunnerHandler({ fleet, signingKeys, onError: () => {} })
  const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    fleet,
    signingKeys,
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/runner`,
    token: (access) => createRunnerToken({ namespace: 'one', runId: 'run-1', ...access }, { signingKeys }),
    async close() {
      server.close()
      server.closeAllConnections()
      await fleet.close()
    },
  }
}

/** Both halves for the contract. Its questions belong to several runs, and each run writes them with a token of its own. */
export async function httpHalves() {
  const runners = await serveRunners()
  const { fleet, url } = runners
  const runIds = ['run-1', 'run-2', 'run-3']
  const tokens = new Map(
    await Promise.all(
      runIds.map(async (runId) => [runId, await runners.token({ runId, continues: runIds })] as const),
    ),
  )
  const questions = fleet.questions('one')
  return {
    ...runners,
    questions,
    host: () => questions,
    runner(): RunnerQuestions {
      const storeOf = (runId: string) => httpQuestions({ url, token: tokens.get(runId) ?? '' })
      let [run, store] = ['run-1', storeOf('run-1')]
      return {
        read: (toolCallIds) => store.read(toolCallIds),
        writeRecord(toolCallId, text, options) {
          const { runId } = options.facts
          if (runId !== run) [run, store] = [runId, storeOf(runId)]
          return store.writeRecord(toolCallId, text, options)
        },
        subscribe: (signal, options) => store.subscribe(signal, options),
      }
    },
  }
}
