import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { root } from '../../scripts/run.mjs'
import { execute, packPackages } from './packed-project.ts'

/** Folders of the workspace, each with the names of packages that it has installed. */
export type Wanted = Readonly<Record<string, readonly string[]>>

/**
 * Makes a project by a generator that people begin with, and installs our packed packages and others of the workspace into
 * it, as npm does: each package is a folder of its own there, and no link leads out. No registry is asked.
 *
 * @param generate the generator's package, its program in that, and the arguments after the project's name
 * @returns the project's folder; the caller removes the folder above it
 */
export async function generatedProject(
  [generator, program, ...args]: readonly [string, string, ...string[]],
  wanted: Wanted,
): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-generated-')))
  const main = join(root, 'test/node_modules', generator, program)
  await execute(process.execPath, [main, 'app', ...args], folder)
  const project = join(folder, 'app')
  const modules = join(project, 'node_modules')
  for (const archive of await packPackages(join(folder, 'archives'))) await unpack(archive, modules)
  for (const [place, names] of Object.entries(wanted))
    for (const name of names) {
      await install(join(root, place, 'node_modules', name), modules)
      await linkPrograms(modules, name)
    }
  return project
}

async function linkPrograms(modules: string, name: string): Promise<void> {
  const { bin = {} } = await manifestOf(join(modules, name))
  const programs = typeof bin === 'string' ? { [basename(name)]: bin } : bin
  await mkdir(join(modules, '.bin'), { recursive: true })
  for (const [program, path] of Object.entries(programs))
    await symlink(join('..', name, path), join(modules, '.bin', program))
}

interface Manifest {
  name: string
  version: string
  bin?: string | Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))

/** `null` where there is no package. */
const manifestIn = (folder: string): Promise<Manifest | null> =>
  manifestOf(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

async function unpack(archive: string, modules: string): Promise<void> {
  const unpacked = await mkdtemp(join(dirname(archive), 'unpacked-'))
  await execute('tar', ['-xzf', archive, '-C', unpacked], dirname(archive))
  const { name, dependencies = {} } = await manifestOf(join(unpacked, 'package'))
  const place = join(modules, name)
  await mkdir(dirname(place), { recursive: true })
  await execute('mv', [join(unpacked, 'package'), place], modules)
  const source = join(root, 'packages', name.replace(/^.*\//, '').replace('sandagent', 'cli'))
  for (const dependency of Object.keys(dependencies))
    if (!dependency.startsWith('@sandagent/'))
      await install(join(source, 'node_modules', dependency), modules)
}

/** Copies a package and what it needs. If another version has its place, the copy goes below the package that needs it. */
async function install(link: string, modules: string, user = modules): Promise<void> {
  const source = await realpath(link)
  const { name, version, dependencies, optionalDependencies, peerDependencies } = await manifestOf(source)
  const places = [join(modules, name), join(user, name)]
  for (const place of places) {
    const there = await manifestIn(place)
    if (there && there.version === version) return
    if (there) continue
    await mkdir(dirname(place), { recursive: true })
    await execute('cp', ['-R', source, place], modules)
    // pnpm has what a package needs beside it.
    const beside = source.slice(0, source.lastIndexOf(`${sep}node_modules${sep}`) + '/node_modules'.length)
    const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    for (const need of needs)
      if (await manifestIn(join(beside, need)))
        await install(join(beside, need), modules, join(place, 'node_modules'))
    return
  }
}

/** The blocks of code on a page of the documentation that quote files, by the file's path. */
export async function quotedFiles(page: string): Promise<Record<string, string>> {
  const text = await readFile(join(root, 'docs', page), 'utf8')
  const quotes = text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)
  return Object.fromEntries(Array.from(quotes, ([, file = '', code = '']) => [file, code]))
}

/** No test reaches the network: what a build looks for there fails at once. */
const OFFLINE = [
  'NEXT_TELEMETRY_DISABLED=1',
  'HTTP_PROXY=http://127.0.0.1:9',
  'HTTPS_PROXY=http://127.0.0.1:9',
]

/** Runs a script of the project's package.json. */
export const runScript = (project: string, name: string, env: readonly string[] = []): Promise<string> =>
  execute('env', ['-u', 'CI', '-u', 'NODE_ENV', ...OFFLINE, ...env, 'npm', 'run', name], project)

/** Builds a project of `create-next-app`, whose fonts come from Google; resolves to what it prints. */
export async function buildNext(project: string): Promise<string> {
  const fonts = join(project, '../fonts.js')
  const face = (family: string) => `@font-face { font-family: '${family}'; src: local('Arial'); }`
  const urlOf = (family: string) =>
    `https://fonts.googleapis.com/css2?family=${family.replace(' ', '+')}:wght@100..900&display=swap`
  const faces = Object.fromEntries(['Geist', 'Geist Mono'].map((family) => [urlOf(family), face(family)]))
  await writeFile(fonts, `module.exports = ${JSON.stringify(faces)}`)
  return runScript(project, 'build', [`NEXT_FONT_GOOGLE_MOCKED_RESPONSES=${fonts}`])
}

/**
 * The files of a built project of Next.js that a deployment takes along, beside its build and its packages. A path that the
 * build cannot follow, in any package, makes it all of them.
 */
export async function tracedFiles(project: string): Promise<string[]> {
  const build = join(project, '.next')
  const traces = (await readdir(build, { recursive: true })).filter((path) => path.endsWith('.nft.json'))
  if (traces.length === 0) throw new Error('This build has no traces')
  const found = traces.map(async (trace) => {
    const { files }: { files: string[] } = JSON.parse(await readFile(join(build, trace), 'utf8'))
    return files.map((file) => relative(project, resolve(build, dirname(trace), file)))
  })
  return (await Promise.all(found)).flat().filter((path) => !/^(node_modules|\.next)\b/.test(path))
}

/** Writes files of the project, and their folders. */
export async function writeFiles(project: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, name)), { recursive: true })
    await writeFile(join(project, name), text)
  }
}

/** Removes a project and what was made for it. */
export const removeProject = (project: string): Promise<void> =>
  rm(dirname(project), { recursive: true, maxRetries: 10 })
