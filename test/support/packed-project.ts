import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/run.mjs'

/** Runs a program; rejects with its output when it fails. */
export async function execute(command: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
  }
}

/**
 * Makes a project in a folder of its own that has this repository's packages installed as they would be published, and
 * their dependencies as the workspace has them. No registry is asked.
 *
 * @param pack makes the archives in a folder, and resolves to their paths
 */
export async function packedProject(pack = packPackages): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'sandagent-packed-'))
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  for (const archive of await pack(join(project, 'archives'))) await install(project, archive)
  return project
}

/** Packs this repository's packages as they would be published; resolves to the paths of the archives. */
export async function packPackages(archives: string): Promise<string[]> {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const pack = [
    '--filter=./packages/*',
    '--filter=!@sandagent/fixtures',
    'pack',
    '--pack-destination',
    archives,
  ]
  await execute('npx', ['--offline', '--yes', packageManager, ...pack], root)
  return (await readdir(archives)).map((name) => join(archives, name))
}

async function install(project: string, archive: string): Promise<void> {
  const unpacked = await mkdtemp(join(project, 'unpacked-'))
  await execute('tar', ['-xzf', archive, '-C', unpacked], project)
  const { name, dependencies } = JSON.parse(await readFile(join(unpacked, 'package/package.json'), 'utf8'))
  await link(project, name, join(unpacked, 'package'))
  const source = join(root, 'packages', name.replace(/^.*\//, '').replace('sandagent', 'cli'))
  for (const dependency of Object.keys(dependencies))
    if (!dependency.startsWith('@sandagent/'))
      await link(project, dependency, join(source, 'node_modules', dependency))
}

/** Puts a package where the project's imports find it, in place of another one. */
export async function link(project: string, name: string, target: string): Promise<void> {
  const place = join(project, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await rm(place, { force: true })
  await symlink(await realpath(target), place)
}
