import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AskError, errorCode, failedWith, parseJson } from '@sandagent/core/internal'
import { readCommandLine } from '../../arguments/command-line.ts'
import { oneOf, onlyWord } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { INIT, PROJECTS } from './init-args.ts'

/** Where the bundle has the files of the starts: beside the folder of its chunks. */
const STARTS = new URL('../starts/', import.meta.url)

const AGENT = 'express/workspace/agent.mjs'

type Start = (typeof PROJECTS)[number]

/**
 * Adds the files of a start to the current folder, and says so.
 *
 * @throws AskError `INVALID_REQUEST` for wrong usage, `INVALID_FILE` before the first file if a folder cannot be made
 */
export async function init(args: readonly string[], { stdout }: Pick<CliIo, 'stdout'>): Promise<void> {
  const named = onlyWord('kind of project', readCommandLine(INIT, args).words)
  const start = named === undefined ? await startThatFits() : oneOf('init', named, PROJECTS)
  const { files, next } = await filesOf(start)
  for (const [to] of files) await checkFolder(dirname(to))
  for (const [to, from] of files) {
    const other = await inItsPlace(to)
    const isAdded = other === null && (await isCopied(from, to))
    stdout.write(isAdded ? `added   ${to}\n` : `exists  ${other ?? to}\n`)
  }
  stdout.write(`\nNext:\n${next.map((line) => `  ${line}\n`).join('')}`)
}

/** Paths in the project, each with its file among those of the starts, and the commands to type next. */
async function filesOf(
  start: Start,
): Promise<{ files: (readonly [to: string, from: string])[]; next: string[] }> {
  const agent = ['workspace/agent.mjs', AGENT] as const
  if (start === 'terminal')
    return {
      files: [['agent.mjs', AGENT]],
      next: [...(await installOf('@sandagent/runner', 'sandagent')), 'npx sandagent run node agent.mjs'],
    }
  if (start === 'python')
    return {
      files: [
        ['ask.py', 'python/ask.py'],
        ['agent.py', 'python/agent.py'],
      ],
      next: ['npx sandagent run python3 agent.py'],
    }
  if (start === 'sh')
    return {
      files: [
        ['ask.sh', 'sh/ask.sh'],
        ['agent.sh', 'sh/agent.sh'],
      ],
      next: ['npx sandagent run sh agent.sh'],
    }
  if (start === 'express')
    return {
      files: [agent, ['server.mjs', 'express/server.mjs']],
      next: [
        ...(await installOf('express', '@sandagent/sdk', '@sandagent/runner', 'sandagent')),
        'node server.mjs',
        `curl -N http://127.0.0.1:3000/api/chat -H 'content-type: application/json' -d '{"prompt":"Deploy"}'    # in a second terminal: starts the agent`,
        'npx sandagent serve --open    # in a third one: to answer in a browser. Here: npx sandagent answer',
      ],
    }
  const app = (await namesIn('src')).includes('app') ? 'src/app' : 'app'
  // A project has its own first page.
  const page = (await inItsPlace(`${app}/page.jsx`)) === null ? 'page.jsx' : 'ask/page.jsx'
  return {
    files: [
      agent,
      [`${app}/api/[...path]/route.js`, 'next/app/api/[...path]/route.js'],
      [`${app}/layout.jsx`, 'next/app/layout.jsx'],
      [`${app}/${page}`, 'next/app/page.jsx'],
    ],
    next: [
      ...(await installOf(
        '@sandagent/sdk',
        '@sandagent/runner',
        '@sandagent/react',
        'sandagent',
        '@ai-sdk/react',
      )),
      'npx next dev --hostname 127.0.0.1',
      `open http://127.0.0.1:3000/${page === 'page.jsx' ? '' : 'ask'}`,
    ],
  }
}

/** By what the project depends on. */
async function startThatFits(): Promise<Start> {
  const names = await dependenciesOf()
  return names.includes('next') ? 'next' : names.includes('express') ? 'express' : 'terminal'
}

/** The names of the packages in `package.json`. */
async function dependenciesOf(): Promise<string[]> {
  const text = await readFile('package.json', 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '{}'
    throw error
  })
  const { dependencies, devDependencies } = Object(
    parseJson(text, 'INVALID_FILE', 'package.json cannot be read'),
  )
  return Object.keys({ ...dependencies, ...devDependencies })
}

/** The line that installs those of the packages that the project does not have. */
async function installOf(...packages: string[]): Promise<string[]> {
  const had = await dependenciesOf()
  const missing = packages.filter((name) => !had.includes(name))
  if (missing.length === 0) return []
  const ours = missing.some((name) => name.includes('sandagent'))
  const note = '    # before the first release: the line that `npm run pack` prints in a clone'
  return [`npm install ${missing.join(' ')}${ours ? note : ''}`]
}

/** A file that does the same, such as `route.ts` for `route.js`; `null` if there is none. */
async function inItsPlace(path: string): Promise<string | null> {
  const name = (await namesIn(dirname(path))).find((other) => moduleOf(other) === moduleOf(basename(path)))
  return name === undefined ? null : join(dirname(path), name)
}

/** The name of a file, for JavaScript and TypeScript without its ending. */
const moduleOf = (name: string): string => name.replace(/\.[cm]?[jt]sx?$/, '')

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    // What is no folder has no names. `checkFolder` refuses it where a file is added.
    if (failedWith(error, ['ENOENT', 'ENOTDIR'])) return []
    throw error
  }
}

/** @throws AskError `INVALID_FILE` if this path, or one above it, is a file, or a link: that may lead out of the project */
async function checkFolder(path: string): Promise<void> {
  if (path === '.') return
  await checkFolder(dirname(path))
  const found = await lstat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (found && !found.isDirectory())
    throw new AskError(
      'INVALID_FILE',
      `${path} is a ${found.isSymbolicLink() ? 'link' : 'file'}, where the project needs a folder. Nothing was added. Move it, or choose another folder`,
    )
}

/** `false` for a file that another process has just made. */
async function isCopied(from: string, to: string): Promise<boolean> {
  try {
    await mkdir(dirname(to), { recursive: true })
    await copyFile(new URL(from, STARTS), to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    if (!failedWith(error, ['EACCES', 'EPERM', 'EROFS'])) throw error
    throw new AskError(
      'UNSAFE_PATH',
      `${to} cannot be written (${errorCode(error)}). Choose a folder of your own`,
      { cause: error },
    )
  }
}
