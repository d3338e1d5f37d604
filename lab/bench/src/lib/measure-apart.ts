import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BenchOptions, Figures } from './scenario.ts'

/**
 * Measures a scenario in a process of its own, with whose end all end that it has started, also if it crashes. Resolves to
 * `null` if this machine cannot measure it.
 */
export function measureApart(name: string, options: BenchOptions): Promise<Figures | null> {
  const script = fileURLToPath(new URL('measure-process.js', import.meta.url))
  const child = fork(script, [name, JSON.stringify(options)], { detached: true })
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as Figures | null))
    child.once('exit', (code) => {
      killGroup(child)
      reject(new Error(`${name} ended with ${code} and sent no figures`))
    })
  })
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // As it should be: nothing is left of it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
