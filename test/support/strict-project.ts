import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../scripts/run.mjs'
import { execute, link, packPackages } from './packed-project.ts'

/** Where this repository has the packages of others that pages install. */
const PLACES = [
  'test',
  'packages/sdk',
  'packages/postgres',
  'packages/telemetry',
  'examples',
  'examples/start/next',
  'examples/start/next-ai-sdk',
  'packages/ai-sdk',
  'apps/demo',
  '.',
]

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** Packed packages, each of which sees only what it declares, as pnpm lays them out. */
export interface StrictStore {
  /** A project that sees only these packages. */
  project(names: Iterable<string>): Promise<string>
  remove(): Promise<void>
}

/** Packs this repository's packages into a store. Packages of others come from the workspace, which pnpm has laid out too. */
export async function createStrictStore(): Promise<StrictStore> {
  const folder = await mkdtemp(join(tmpdir(), 'sandagent-strict-'))
  const packed = new Map<string, Manifest>()
  const modulesOf = (name: string): string => join(folder, 'store', name.replace('/', '+'), 'node_modules')
  const placeOf = (name: string): string => join(modulesOf(name), name)
  for (const archive of await packPackages(join(folder, 'archives'))) {
    const unpacked = await mkdtemp(join(folder, 'unpacked-'))
    await execute('tar', ['-xzf', archive, '-C', unpacked], folder)
    const manifest: Manifest = JSON.parse(await readFile(join(unpacked, 'package/package.json'), 'utf8'))
    await mkdir(dirname(placeOf(manifest.name)), { recursive: true })
    await rename(join(unpacked, 'package'), placeOf(manifest.name))
    packed.set(manifest.name, manifest)
  }
  for (const { name, dependencies = {} } of packed.values()) {
    const modules = modulesOf(name)
    const source = join(
      root,
      'packages',
      name.replace(/^.*\//, '').replace('sandagent', 'cli'),
      'node_modules',
    )
    for (const need of Object.keys(dependencies)) {
      const place = join(modules, need)
      await mkdir(dirname(place), { recursive: true })
      await symlink(packed.has(need) ? placeOf(need) : join(source, need), place)
    }
  }
  return {
    async project(names) {
      const project = await mkdtemp(join(folder, 'project-'))
      const places = new Map<string, string>()
      for (const name of names) {
        const place = packed.has(name) ? placeOf(name) : await foreign(name)
        if (place) places.set(name, place)
      }
      for (const [name, place] of places) await link(project, name, place)
      // A package sees the peers that its user has installed.
      for (const { name, peerDependencies = {} } of packed.values())
        for (const peer of ['@types/react', ...Object.keys(peerDependencies)]) {
          const place = peer === '@types/react' ? await foreign(peer) : places.get(peer)
          await rm(join(modulesOf(name), peer), { force: true })
          if (place) await link(dirname(modulesOf(name)), peer, place)
        }
      return project
    },
    remove: () => rm(folder, { recursive: true, maxRetries: 10 }),
  }
}

/** Some packages of vendors are not here. A sample that imports one cannot be checked. */
async function foreign(name: string): Promise<string | undefined> {
  for (const place of PLACES) {
    const modules = join(root, place, 'node_modules')
    const names = await readdir(dirname(join(modules, name))).catch((): string[] => [])
    if (names.includes(name.replace(/^.*\//, ''))) return join(modules, name)
  }
  return undefined
}
