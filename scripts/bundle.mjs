// Bundles what starts as a program of its own: the command, the launcher of isolated programs, and what goes into sandboxes.
// Why it is so: docs/decisions/0060-the-command-is-a-bundle.md
// `tsc` builds everything else. All bundles are made of the sources, so they need no other build first.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licencesOf } from './licences.mjs'
import { root } from './run.mjs'

/** It is installed beside the bundles, because it has programs of its own. */
const RUNTIME = '@anthropic-ai/sandbox-runtime'

/** The form of the terminal: an ES module of its own, because the layout engine of Ink awaits its WebAssembly as it loads. */
const FORM = 'packages/cli/src/terminal/form/show-form.tsx'
const FORM_FILE = 'form.mjs'

/** What feeds a program inside a sandbox that has no standard input. Hosts start it from its text. */
const FEEDER = 'packages/remote/src/transport/feeder.ts'
const FEEDER_FILE = 'feeder.cjs'

/** Makes all bundles. */
export async function bundleAll() {
  const command = await bundle('packages/cli/src/main.ts')
  const launcher = await bundle('packages/sdk/src/sandbox/isolation/launcher/launcher.ts')
  // Code looks for its package two folders above its own. Chunks and launchers are two folders below theirs.
  const form = await bundle(FORM, {
    format: 'es',
    entryFileNames: FORM_FILE,
    codeSplitting: false,
    minify: true,
  })
  store('packages/cli/dist', joined(command, form))
  store('packages/cli/dist/starts', startFiles())
  for (const name of ['sdk', 'cli']) store(`packages/${name}/dist/launcher`, launcher)
  const upload = await bundle('packages/cli/src/main.ts', { oneFile: true })
  for (const name of ['remote', 'cli']) store(`packages/${name}/dist/upload`, upload)
  const feeder = await bundle(FEEDER, { oneFile: true, entryFileNames: FEEDER_FILE })
  store('packages/remote/dist/upload', new Map([[FEEDER_FILE, feeder.get(FEEDER_FILE) ?? '']]))
}

/** They are ES modules, and the bundles in the folder above are not. */
const MODULES = '{ "type": "module" }\n'

/** What `sandagent init` adds to a project: the files of the starts, as the documentation shows them. */
function startFiles() {
  const starts = join(root, 'examples/start')
  const names = ['express/server.mjs', 'express/workspace/agent.mjs']
  names.push('python/agent.py', 'python/ask.py', 'sh/agent.sh', 'sh/ask.sh')
  for (const name of readdirSync(join(starts, 'next/app'), { recursive: true, encoding: 'utf8' }))
    if (/\.jsx?$/.test(name)) names.push(`next/app/${name}`)
  const files = new Map(names.map((name) => [name, readFileSync(join(starts, name), 'utf8')]))
  return files.set('package.json', MODULES)
}

/**
 * The files of two bundles, with the licences of both.
 *
 * @param {ReadonlyMap<string, string>} one
 * @param {ReadonlyMap<string, string>} other
 * @returns {ReadonlyMap<string, string>}
 */
function joined(one, other) {
  return new Map([...other, ...one, [LICENCES, `${one.get(LICENCES)}\n${other.get(LICENCES)}`]])
}

const LICENCES = 'THIRD-PARTY-LICENSES.txt'

/**
 * @param {string} input
 * @param {{ oneFile?: boolean } & import('rolldown').OutputOptions} [options] one file, for sandboxes where nothing is
 *   installed
 * @returns {Promise<ReadonlyMap<string, string>>} files by their names
 */
async function bundle(input, { oneFile = false, ...outputOptions } = {}) {
  const build = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    external: ['@ag-ui/client', '@agentclientprotocol/sdk', '@anthropic-ai/claude-agent-sdk', 'eve/client'],
    plugins: [
      ...(oneFile ? [whatRunsAlone] : []),
      formApart,
      fromSources,
      asInstalled,
      withoutForge,
      smallValidator,
    ],
    // React leaves its checks for developers out.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    treeshake: { moduleSideEffects: [{ test: new RegExp(`/${RUNTIME}/`), sideEffects: false }] },
  })
  const { output } = await build.generate({
    format: 'cjs', // Node loads it in less time than ES modules.
    comments: { legal: true, annotation: false, jsdoc: false },
    ...(oneFile
      ? { entryFileNames: 'sandagent.cjs', codeSplitting: false, minify: true }
      : {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          sourcemap: true,
          sourcemapExcludeSources: true,
        }),
    ...outputOptions,
  })
  await build.close()
  const files = new Map(
    output.map((part) => [part.fileName, part.type === 'chunk' ? part.code : String(part.source)]),
  )
  const modules = output.flatMap((part) => (part.type === 'chunk' ? Object.keys(part.modules) : []))
  files.set('package.json', '{ "type": "commonjs" }\n')
  return files.set(LICENCES, licencesOf(modules))
}

/**
 * The one file leaves out what needs installed packages, or what nobody calls at a distance.
 *
 * @type {import('rolldown').Plugin}
 */
const whatRunsAlone = {
  name: 'what-runs-alone',
  load(id) {
    const path = relative(root, id)
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
    const commands = 'packages/cli/src/commands'
    const refuse = "{ throw new Error('This needs the whole command: npm install sandagent') }"
    /** @type {Record<string, string>} */
    const stubs = {
      'packages/cli/src/version.ts': `export const version = () => ${JSON.stringify(version)}`,
      [`${commands}/mcp/mcp.ts`]: `export const mcp = () => ${refuse}`,
      [`${commands}/questions/questions.ts`]: `export const questions = () => ${refuse}`,
      [`${commands}/questions/answer.ts`]: `export const answer = () => ${refuse}`,
      [`${commands}/runs/runs.ts`]: ['list', 'stop', 'prune']
        .map((name) => `export const ${name} = () => ${refuse}`)
        .join('\n'),
      [`${commands}/runs/logs.ts`]: `export const logs = () => ${refuse}`,
      [`${commands}/doctor/doctor.ts`]: `export const doctor = () => ${refuse}`,
      [`${commands}/audit/audit.ts`]: `export const verify = () => ${refuse}`,
      [`${commands}/serve/serve.ts`]: `export const serve = () => ${refuse}`,
      [`${commands}/notices/notices.ts`]: ['test', 'failed', 'retry']
        .map((name) => `export const ${name} = () => ${refuse}`)
        .join('\n'),
      [`${commands}/grants/grants.ts`]: ['list', 'revoke']
        .map((name) => `export const ${name} = () => ${refuse}`)
        .join('\n'),
      [`${commands}/places/places.ts`]: ['createPlaces', 'foldersOf']
        .map((name) => `export const ${name} = () => ${refuse}`)
        .join('\n'),
      [`${commands}/grants/keep-grants.ts`]: `export const keepGrants = () => ${refuse}`,
      [`${commands}/channel/run-demand.ts`]: `export const runDemand = () => ${refuse}`,
      [`${commands}/setup/passkeys.ts`]: ['list', 'add', 'remove', 'env']
        .map((name) => `export const ${name} = () => ${refuse}`)
        .join('\n'),
      [`${commands}/setup/init.ts`]: `export const init = () => ${refuse}`,
      [`${commands}/completion/completion.ts`]: `export const completion = () => ${refuse}`,
      'packages/cli/src/log.ts': 'export const startLog = () => () => {}',
      'packages/cli/src/terminal/terminal.ts': `export const createTerminal = () => ${refuse}`,
      'packages/runner/src/claude.ts': `export const createClaudeAgent = () => ${refuse}`,
      'packages/runner/src/acp.ts': `export const createAcpAgent = () => ${refuse}`,
      'packages/runner/src/ag-ui.ts': `export const createAgUiAgent = () => ${refuse}`,
      'packages/runner/src/codex.ts': `export const createCodexAgent = () => ${refuse}`,
      'packages/runner/src/agents/eve/index.ts': `export const createEveAgent = () => ${refuse}`,
    }
    // A run that demands passkeys does not start.
    if (/simplewebauthn[\\/]server[\\/]esm[\\/]index\.js$/.test(id))
      return `export const verifyAuthenticationResponse = () => ${refuse}; verifyAuthenticationResponse()`
    // Terminals wrap the lines of the help, too.
    if (/[\\/]wrap-ansi[\\/]index\.js$/.test(id)) return 'export default (text) => text'
    // Execa tells how long a program ran only to those who debug it.
    if (/[\\/]pretty-ms[\\/]index\.js$/.test(id)) return "export default (ms) => ms + ' ms'"
    return stubs[path] ?? null
  },
}

/**
 * The command loads the form from the file beside it. In a bundle of Ink, nothing looks for developers' tools or for CI, where
 * Ink would draw only once.
 *
 * @type {import('rolldown').Plugin}
 */
const formApart = {
  name: 'form-apart',
  resolveId(source, importer) {
    if (/^\.\.?\/form\/show-form\.tsx$/.test(source) && importer)
      return { id: `../${FORM_FILE}`, external: true }
    if (source === './devtools.js' || source === 'is-in-ci') return `\0${source}`
    return null
  },
  load: (id) => (id === '\0./devtools.js' || id === '\0is-in-ci' ? 'export default false' : null),
}

/**
 * Packages of this repository come from their sources: those are always up to date, and source maps lead to them.
 *
 * @type {import('rolldown').Plugin}
 */
export const fromSources = {
  name: 'from-sources',
  resolveId(source) {
    const [, name, entry] = /^@sandagent\/([^/]+)(?:\/(.+))?$/.exec(source) ?? []
    if (name === undefined) return null
    const folder = join(root, 'packages', name)
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const built = exports[entry === undefined ? '.' : `./${entry}`].default
    return join(folder, built.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))
  },
}

/**
 * The sandbox runtime finds its own programs from the places of its modules: those where it is installed.
 *
 * @type {import('rolldown').Plugin}
 */
const asInstalled = {
  name: 'as-installed',
  transform(code, id) {
    const [, path] = id.split(`/${RUNTIME}/`)
    if (path === undefined || !code.includes('import.meta.url')) return null
    const place = `pathToUrl(requireFrom(import.meta.url).resolve('${RUNTIME}/${path}')).href`
    const imports = [
      "import { createRequire as requireFrom } from 'node:module'",
      "import { pathToFileURL as pathToUrl } from 'node:url'",
    ]
    // `null` keeps the source map: no line moves.
    return { code: [code.replaceAll('import.meta.url', place), ...imports].join('\n'), map: null }
  },
}

/**
 * The sandbox runtime needs node-forge only to look into TLS, which is never switched on here. Loading it takes as long as
 * loading everything else. What stands in its place throws when it is called.
 *
 * @type {import('rolldown').Plugin}
 */
const withoutForge = {
  name: 'without-forge',
  resolveId: (source) => (source === 'node-forge' ? '\0node-forge' : null),
  load: (id) =>
    id === '\0node-forge'
      ? [
          "const refuse = () => { throw new Error('node-forge is not in this bundle') }",
          'const absent = new Proxy(refuse, { get: () => absent })',
          'export default absent',
        ].join('\n')
      : null,
}

/**
 * The MCP SDK brings two validators of JSON Schema. Under Node it takes the one that is seven times as large.
 *
 * @type {import('rolldown').Plugin}
 */
const smallValidator = {
  name: 'small-validator',
  resolveId: (source, importer) =>
    source === '@modelcontextprotocol/server/_shims' ? `${importer}?small` : null,
  load: (id) =>
    id.endsWith('?small')
      ? [
          "import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'",
          'export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator }',
          'export const process = globalThis.process',
        ].join('\n')
      : null,
}

/**
 * Writes files that have changed, each at once: a process that starts meanwhile reads the old file or the new one. Removes
 * chunks of earlier builds.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} files
 */
function store(folder, files) {
  const chunks = join(root, folder, 'chunks')
  for (const [name, text] of files) {
    const path = join(root, folder, name)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    mkdirSync(dirname(path), { recursive: true })
    const mode = text.startsWith('#!') ? 0o755 : 0o644
    writeFileSync(`${path}.${process.pid}.tmp`, text, { mode })
    renameSync(`${path}.${process.pid}.tmp`, path)
  }
  if (!existsSync(chunks)) return
  for (const name of readdirSync(chunks)) if (!files.has(`chunks/${name}`)) rmSync(join(chunks, name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleAll()
