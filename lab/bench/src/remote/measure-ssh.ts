import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { summarize } from '../lib/statistics.ts'
import { startStack } from '../stack/start-stack.ts'
import { delayedRelay } from './delayed-relay.ts'
import { measureRelay, type RelayFigures } from './measure-relay.ts'
import { startSshServer, throughSsh } from './ssh-server.ts'

export interface SshFigures extends RelayFigures {
  loopbackP50Ms: number
  localP50Ms: number
}

/** So many come first and do not count: files are read for the first time, and code is compiled. */
const WARM_UP = 20
/** How long people take to answer, in milliseconds. */
const THINK_MS = 20

/** The figures over a real server of SSH; `null` where it cannot be started. */
export async function measureSsh(
  folder: string,
  { roundTripMs, samples }: { roundTripMs: number; samples: number },
): Promise<SshFigures | null> {
  const place = join(folder, 'ssh')
  await mkdir(place)
  const server = await startSshServer(place)
  if (!server) return null
  try {
    const local = await startStack(join(folder, 'local'), { waiting: 1 })
    const loopback = await startStack(join(folder, 'loopback'), { waiting: 1, command: server.command })
    const times = { local: [] as bigint[], loopback: [] as bigint[] }
    try {
      for (let round = -WARM_UP; round < samples; round++)
        for (const [name, stack] of [['local', local] as const, ['loopback', loopback] as const]) {
          const { resolved } = await stack.answer(THINK_MS * (1 + Math.random()))
          if (round >= 0) times[name].push(resolved)
        }
    } finally {
      await local.end()
      await loopback.end()
    }
    const far = delayedRelay(roundTripMs, throughSsh(server))
    return {
      ...(await measureRelay(join(folder, 'far'), far, samples)),
      loopbackP50Ms: summarize(times.loopback).p50Ms,
      localP50Ms: summarize(times.local).p50Ms,
    }
  } finally {
    server.end()
  }
}
