import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createNatsFleet } from '@sandagent/nats'
import pLimit from 'p-limit'
import { type NatsServer, startNats } from '../fleet/nats-server.ts'
import { SAMPLE_ID, sampleTexts } from './sample-texts.ts'

export interface NatsSizes {
  openBytes: number
  serverBytes: number
  hostBytes: number
}

/** @returns `null` if NATS is not installed */
export async function measureNats(count: number): Promise<NatsSizes | null> {
  const server = await startNats()
  if (!server) return null
  try {
    return await measureStream(count, server)
  } finally {
    await server.stop()
  }
}

async function measureStream(count: number, { url, folder, pid }: NatsServer): Promise<NatsSizes> {
  const { openRecord } = await sampleTexts()
  const fleet = createNatsFleet({ servers: url })
  await fleet.unsettled()
  const sizes = (): [disk: number, server: number, host: number] => [
    1024 * Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]),
    residentBytesOf(pid),
    heapBytes(),
  ]
  const before = sizes()
  const limited = pLimit(100)
  const ask = async (n: number): Promise<void> => {
    const id = `toolu_${String(n).padStart(22, '0')}`
    const facts = { runId: `run_${n}`, askedAt: new Date(n).toISOString(), isSettled: false }
    const questions = fleet.questions(`run_${Math.floor(n / 5)}`)
    await questions.writeRecord(id, openRecord.replace(SAMPLE_ID, id), { expected: null, facts })
  }
  for (let from = 0; from < count; from += 1000)
    await Promise.all(
      Array.from({ length: Math.min(1000, count - from) }, (_, n) => limited(() => ask(from + n))),
    )
  const after = sizes()
  await fleet.close()
  const [openBytes, serverBytes, hostBytes] = after.map((bytes, n) => (bytes - (before[n] ?? 0)) / count)
  return { openBytes: openBytes ?? 0, serverBytes: serverBytes ?? 0, hostBytes: hostBytes ?? 0 }
}

function residentBytesOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return 1024 * Number(kilobytes)
}

/** After a garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
