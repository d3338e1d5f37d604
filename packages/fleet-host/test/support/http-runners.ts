import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunnerChannel } from '@sandagent/core/internal'
import { createHostChannel } from '@sandagent/core/store'
import { createHttpRunnerChannel, createMemoryFleet, type FleetStore } from '@sandagent/fleet'
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

/** Both ends for the contract. Its questions belong to several runs, so each run shows a token of its own. */
export async function httpEnds() {
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
    host: () => createHostChannel(questions),
    runner(): RunnerChannel {
      const channelOf = (runId: string): RunnerChannel =>
        createHttpRunnerChannel({ url, token: tokens.get(runId) ?? '' })
      let channel = channelOf('run-1')
      /** A runner that did not ask belongs to the run of the question. */
      const runnerOf = async (toolCallId: string): Promise<RunnerChannel> => {
        const [stored] = await questions.read([toolCallId])
        const record = stored?.record
        return record ? channelOf((JSON.parse(record.text) as { runId: string }).runId) : channel
      }
      let runOfChannel = 'run-1'
      return {
        open(record, options) {
          if (record.runId !== runOfChannel) channel = channelOf(record.runId)
          runOfChannel = record.runId
          return channel.open(record, options)
        },
        read: (...args) => channel.read(...args),
        subscribe: (...args) => channel.subscribe(...args),
        close: async (...args) => (await runnerOf(args[0])).close(...args),
        settle: async (...args) => (await runnerOf(args[0])).settle(...args),
      }
    },
  }
}
