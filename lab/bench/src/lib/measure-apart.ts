import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BenchOptions, Figures } from './scenario.ts'

/** Measures a scenario in a process of its own. Resolves to `null` if this machine cannot measure it. */
export function measureApart(name: string, options: BenchOptions): Promise<Figures | null> {
  const script = fileURLToPath(new URL('measure-process.js', import.meta.url))
  const child = fork(script, [name, JSON.stringify(options)])
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as Figures | null))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} and sent no figures`)))
  })
}
