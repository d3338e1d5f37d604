import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/**
 * Timeouts in milliseconds for a slow machine that is busy: what a test waits for comes, or never. In CI a failed test runs
 * once more, and scripts/test-summary.mjs names it.
 */
const patience = (timeout: number, ...setupFiles: string[]) => ({
  retry: process.env.CI === undefined ? 0 : 1,
  testTimeout: timeout,
  hookTimeout: timeout,
  expect: { poll: { timeout: 55_000 } },
  setupFiles: ['test/support/setup/patience.ts', ...setupFiles],
})

/** Files that take long, and run with `npm run test:slow` alone. */
const SLOW = '**/*.slow.test.ts'

/** Files that need a process of their own, because they replace modules. All others share processes: that is much faster. */
const ALONE = '**/*.alone.test.ts'

/** Plain Node tests of one package, mirroring its src. */
function nodeProject(name: string): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      ...patience(60_000),
      environment: 'node',
      isolate: false,
      include: [`packages/${name}/test/**/*.test.ts`],
      exclude: ['packages/sdk/test/react/**', SLOW, ALONE],
    },
  }
}

/** The same React tests with the React that is installed beside `folder`'s package.json. */
function reactProject(name: string, folder: string): TestProjectInlineConfiguration {
  const modules = fileURLToPath(new URL(`${folder}/node_modules/`, import.meta.url))
  return {
    resolve: {
      alias: [{ find: /^(react|react-dom|@testing-library\/react)(?=\/|$)/, replacement: `${modules}$1` }],
    },
    oxc: { jsx: { runtime: 'automatic' } },
    test: {
      name,
      ...patience(60_000, 'packages/react/test/each-file.ts'),
      environment: 'jsdom',
      isolate: false,
      env: { RTL_SKIP_AUTO_CLEANUP: 'true' },
      include: ['packages/react/test/**/*.test.{ts,tsx}', 'packages/sdk/test/react/**/*.test.tsx'],
    },
  }
}

/** Files of packages that need a process of their own. */
const aloneProject: TestProjectInlineConfiguration = {
  test: {
    name: 'alone',
    ...patience(60_000),
    environment: 'node',
    include: [`packages/*/test/${ALONE}`],
  },
}

/** The tests that cross packages. */
function crossProject(name: string, include: string, exclude: string[] = []): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      environment: 'node',
      isolate: false,
      include: [include],
      exclude: [...configDefaults.exclude, ...exclude],
      ...patience(120_000, 'test/support/setup/no-receipts-left.ts'),
    },
  }
}

/** What every `npm test` runs. */
const quickProjects = [
  ...[
    'core',
    'files',
    'fleet',
    'fleet-host',
    'postgres',
    'nats',
    'runner',
    'sdk',
    'remote',
    'inbox',
    'notices',
    'grants',
    'passkeys',
    'telemetry',
    'testing',
    'user-choice',
    'ag-ui',
    'ai-sdk',
    'cli',
  ].map(nodeProject),
  aloneProject,
  reactProject('react19', 'packages/react'),
  crossProject('test', 'test/**/*.test.{ts,tsx}', [SLOW]),
]

/** What `npm run test:slow` runs beside it. */
const slowProjects = [reactProject('react18', 'test/react-18'), crossProject('slow', `test/${SLOW}`)]

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/support/setup/own-config.ts', 'test/support/setup/fresh-bundles.ts'],
    // Many tests wait for browsers and other processes. On two cores, three workers leave a quarter of the time unused, and
    // four nearly none.
    maxWorkers: availableParallelism() + 2,
    projects: mode === 'slow' ? slowProjects : quickProjects,
  },
}))
