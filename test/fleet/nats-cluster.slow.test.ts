import { connect, type NatsConnection } from '@nats-io/transport-node'
import { hasNatsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import { createNatsFleet, createNatsQuestions } from '@sandagent/nats'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { natsCluster } from '../support/servers/nats-cluster.ts'

interface StreamInfo {
  cluster?: { leader?: string; replicas?: { name: string; current: boolean; offline?: boolean }[] }
}

const infoOf = async (connection: NatsConnection): Promise<StreamInfo> =>
  (await connection.request('$JS.API.STREAM.INFO.KV_sandagent', '')).json<StreamInfo>()

describe.runIf(hasNatsServer)('a cluster of three servers', () => {
  it('a server that is cut off from the others answers no read from what it has', {
    timeout: 120_000,
  }, async () => {
    const cluster = await natsCluster()
    const urls = cluster.servers.map(({ url }) => url)
    const fleet = createNatsFleet({ servers: urls, replicas: 3 })
    onTestFinished(() => fleet.close())
    const host = fleet.questions('n1')
    await vi.waitFor(() => host.read([]), { timeout: 60_000, interval: 100 })
    const first = await host.writeAnswer('t1', 'first', { expected: null })

    const admin = await connect({ servers: urls })
    onTestFinished(() => admin.close())
    const { leader, replicas = [] } = (await infoOf(admin)).cluster ?? {}
    expect(replicas).toHaveLength(2)
    const lonely = Number(replicas[0]?.name.slice(1))
    const others = [0, 1, 2].filter((n) => n !== lonely)
    expect(`n${lonely}`).not.toBe(leader)

    const connection = await connect({ servers: urls[lonely] as string, ignoreClusterUpdates: true })
    onTestFinished(() => connection.close())
    const reader = createNatsQuestions({ connection, namespace: 'n1' })
    onTestFinished(() => reader.close())
    expect((await reader.read(['t1']))[0]).toEqual(first)

    const elsewhere = createNatsFleet({ servers: others.map((n) => urls[n] as string) })
    onTestFinished(() => elsewhere.close())
    const writer = elsewhere.questions('n1')
    await writer.read([])
    for (const n of others) cluster.part(lonely, n)
    const second = await vi.waitFor(
      () => writer.writeAnswer('t1', 'second', { expected: first?.answer?.version ?? null }),
      { timeout: 60_000 },
    )
    await expect(reader.read(['t1'])).rejects.toMatchObject({ code: 'UNREACHABLE' })
    for (const n of others) cluster.join(lonely, n)
    const found = await vi.waitFor(() => reader.read(['t1']), { timeout: 60_000 })
    expect(found).toEqual([
      second ?? expect.objectContaining({ answer: expect.objectContaining({ text: 'second' }) }),
    ])
  })
})
