import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { BREAKS, type BreakName } from './broken.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

export interface BundledParts {
  /** The program of all parts. */
  program: string
  /** What the relay's program loads first. */
  relayFaults: string
  remove(): Promise<void>
}

/** Programs in few files, which start faster. They lie here, so that they find the packages. */
export async function bundleParts(breakName?: BreakName): Promise<BundledParts> {
  const folder = await mkdtemp(join(HERE, 'parts-bundled-'))
  let breaksMade = 0
  const breaking: Plugin = {
    name: 'breaking',
    transform(code, id) {
      const edit = breakName && BREAKS[breakName]
      if (!edit || !id.endsWith(edit.file)) return null
      const broken = code.replace(edit.from, edit.to)
      if (broken !== code) breaksMade++
      return { code: broken, map: null }
    },
  }
  const build = await rolldown({
    input: [join(HERE, 'parts/part.js'), join(HERE, 'parts/faults/relay-faults.js')],
    platform: 'node',
    plugins: [breaking],
    logLevel: 'silent',
  })
  await build.write({ dir: folder, format: 'esm', minify: true })
  await build.close()
  if (breakName && breaksMade !== 1)
    throw new Error(
      `The break "${breakName}" was made ${breaksMade} times. Adapt ${BREAKS[breakName].file} in broken.ts`,
    )
  return {
    program: join(folder, 'part.js'),
    relayFaults: join(folder, 'relay-faults.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
