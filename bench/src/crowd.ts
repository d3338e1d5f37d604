import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Many questions at once in one process that may have 1,024 descriptors. */
export interface CrowdCost {
  /** Until all were asked; and the questions that failed or got another outcome than their answer. */
  burst: { seconds: number; lost: number }
  /** While nobody answers. `fds` is `null` where the system does not tell. */
  idle: { cpuPercent: number; bytesPerWaiter: number; fds: number | null }
}

const IDLE_MS = 10_000

export async function measureCrowd(count = 10_000): Promise<CrowdCost> {
  const workdir = await mkdtemp(join(tmpdir(), 'sandagent-bench-crowd-'))
  try {
    const script = fileURLToPath(new URL('crowd-process.js', import.meta.url))
    const node = [process.execPath, '--expose-gc', script, `${count}`, `${IDLE_MS}`]
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 1024 && exec "$@"', 'sh', ...node], {
      cwd: workdir,
    })
    return JSON.parse(stdout)
  } finally {
    await rm(workdir, { recursive: true })
  }
}
