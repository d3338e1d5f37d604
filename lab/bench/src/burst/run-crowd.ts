import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inFolder } from '../lib/in-folder.ts'

/** Many questions at once in one process that may have 1,024 descriptors. */
interface CrowdCost {
  /** Until all were asked. */
  seconds: number
  /** Bare creations of as many files before; `null` where idle costs are measured. */
  floorSeconds: number | null
  /** Questions that failed, or that got another outcome than their answer. */
  lost: number
  /** While nobody answers. Descriptors and watches are `null` where the system does not tell. */
  idle: { cpuPercent: number; bytesPerWaiter: number; fds: number | null; watches: number | null } | null
}

/** @param idleMs how long nobody answers; if 0, all are answered at once, and idle costs are not measured */
export function runCrowd(count: number, { idleMs }: { idleMs: number }): Promise<CrowdCost> {
  return inFolder(async (workdir) => {
    const script = fileURLToPath(new URL('crowd-process.js', import.meta.url))
    const node = [process.execPath, '--expose-gc', script, `${count}`, `${idleMs}`]
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 1024 && exec "$@"', 'sh', ...node], {
      cwd: workdir,
    })
    return JSON.parse(stdout)
  })
}
