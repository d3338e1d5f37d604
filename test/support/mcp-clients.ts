import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { LocalSandbox } from '@sandagent/sdk'
import { onTestFinished } from 'vitest'
import { sandagent } from './mcp.ts'
import { type ModelApis, startModelApis } from './models/model-apis.ts'
import { type PseudoTerminal, startInTerminal } from './terminal/pseudo-terminal.ts'

const require = createRequire(import.meta.url)

/** How a real MCP client is started, so that it asks by `sandagent mcp` and reaches nothing beyond this machine. */
export interface McpClient {
  command(): [string, ...string[]]
  /** Its configuration files, by their paths below the home, where the workdir is `work`. */
  files(modelUrl: string, server: readonly string[]): Record<string, string>
  env(modelUrl: string, home: string): NodeJS.ProcessEnv
}

export const mcpClients = {
  codex: {
    command: () => [
      process.execPath,
      programOf(require.resolve('@openai/codex/package.json'), 'codex'),
      ...['exec', '--skip-git-repo-check', 'Paint it.'],
    ],
    files: (modelUrl, [command, ...args]) => ({
      '.codex/config.toml': `
        model = "stub"
        model_provider = "stub"
        check_for_update_on_startup = false
        analytics.enabled = false
        [model_providers.stub]
        name = "stub"
        base_url = "${modelUrl}/v1"
        wire_api = "responses"
        env_key = "STUB_KEY"
        [mcp_servers.sandagent]
        command = ${JSON.stringify(command)}
        args = ${JSON.stringify(args)}
        required = true
        startup_timeout_sec = 60
      `,
    }),
    env: (_, home) => ({ STUB_KEY: 'none', CODEX_HOME: join(home, '.codex') }),
  },
  gemini: {
    command: () => [
      process.execPath,
      programOf(require.resolve('@google/gemini-cli/package.json'), 'gemini'),
      ...['-m', 'gemini-2.5-flash', '-p', 'Paint it.'],
    ],
    files: (_, [command, ...args]) => ({
      '.gemini/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        mcpServers: { sandagent: { command, args, trust: true, timeout: 600_000 } },
      }),
    }),
    env: (modelUrl) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_NO_RELAUNCH: '1',
    }),
  },
  opencode: {
    command: () => [opencodeBinary(), 'run', 'Paint it.'],
    files: (modelUrl, command) => ({
      'work/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'stub/stub',
        small_model: 'stub/stub',
        provider: {
          stub: {
            npm: '@ai-sdk/openai-compatible',
            name: 'stub',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
            models: { stub: { name: 'stub' } },
          },
        },
        mcp: { sandagent: { type: 'local', command, timeout: 600_000 } },
      }),
    }),
    env: (_, home) => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: join(home, 'cache'),
    }),
  },
} satisfies Record<string, McpClient>

/** The script behind a command of the package with this manifest. */
export function programOf(manifest: string, command: string): string {
  return join(dirname(manifest), require(manifest).bin[command])
}

/** Its own launcher wants an install script, and would only look for this. */
export function opencodeBinary(): string {
  const besideLauncher = createRequire(require.resolve('opencode-ai/package.json'))
  const name = `opencode-${process.platform}-${process.arch}`
  return join(dirname(besideLauncher.resolve(`${name}/package.json`)), 'bin/opencode')
}

/** A client at work in a terminal: its model asks these questions once. */
export interface ClientAtWork {
  api: ModelApis
  sandbox: LocalSandbox
  terminal: PseudoTerminal
}

/** @param serverArgs stand behind `sandagent mcp --workdir DIR` */
export async function startClient(
  name: keyof typeof mcpClients,
  questions: readonly object[],
  serverArgs: readonly string[] = [],
): Promise<ClientAtWork> {
  const client: McpClient = mcpClients[name]
  const api = await startModelApis({ questions })
  const server = (workdir: string) => [
    process.execPath,
    sandagent,
    'mcp',
    '--workdir',
    workdir,
    ...serverArgs,
  ]
  const { workdir, env } = await clientHome(client, api, server)
  const [command, ...args] = client.command()
  const terminal = startInTerminal(command, args, { cwd: workdir, env })
  return { api, sandbox: new LocalSandbox({ workdir }), terminal }
}

/** A home for a client, with its files, and the environment in which it starts. */
export async function clientHome(
  client: Pick<McpClient, 'files' | 'env'>,
  api: { url: string; close(): Promise<void> },
  server: (workdir: string) => string[] = () => [],
): Promise<{ home: string; workdir: string; env: NodeJS.ProcessEnv }> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'sandagent-client-')))
  const workdir = join(home, 'work')
  onTestFinished(async () => {
    await api.close()
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
  })
  await mkdir(workdir)
  for (const [path, text] of Object.entries(client.files(api.url, server(workdir)))) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  return { home, workdir, env: { ...nobody, HOME: home, ...onlyLoopback, ...client.env(api.url, home) } }
}

/** An agent that runs these tests must not lend its own settings to the one under test. */
const nobody = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(CLAUDE|ANTHROPIC|OPENAI|CODEX|GEMINI|GOOGLE|OPENCODE|XDG)/.test(name))
    .map((name) => [name, undefined]),
)

/** What goes elsewhere meets a proxy that is not there. */
const onlyLoopback = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
}
