// Tries a release and publishes nothing: makes versions, change logs and archives in a copy, installs them with npm in a fresh
// project, and lets an agent there ask one question. Needs the registry, for what the packages depend on.

import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { prepareRelease } from './prepare-release.mjs'
import { root, run } from './run.mjs'

const folder = mkdtempSync(join(tmpdir(), 'sandagent-release-'))
try {
  const { code, version, archives, copy } = await prepareRelease(folder)
  if (code !== 0) throw new Error('The release cannot be made')
  console.log(`${archives.length} packages of version ${version}. The change log of sandagent:\n`)
  console.log(readFileSync(join(copy, 'packages/cli/CHANGELOG.md'), 'utf8'))

  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  const installed = await run('npm', ['install', '--no-audit', '--no-fund', ...archives], { cwd: project })
  if (installed !== 0) throw new Error('The packages cannot be installed')

  copyFileSync(join(root, 'examples/start/express/workspace/agent.mjs'), join(project, 'agent.mjs'))
  const printed = await askOnce(project)
  if (!printed.includes('I deploy to Staging.')) throw new Error(`The agent got no answer:\n${printed}`)
  console.log(`\nA question of an agent was answered in a fresh project. Nothing was published.`)
} finally {
  rmSync(folder, { recursive: true, maxRetries: 10 })
}

/**
 * Runs an agent that asks, and answers it.
 *
 * @param {string} project
 */
async function askOnce(project) {
  const main = join(project, 'node_modules/sandagent/dist/main.js')
  const env = { ...process.env, SANDAGENT_KNOWN_WORKDIRS: 'off' }
  const agent = spawn(process.execPath, [main, 'run', 'node', 'agent.mjs'], { cwd: project, env })
  const printed = text(agent.stdout)
  const answer = [main, 'answer', '--option', 'Staging']
  const isAnswered = () => spawnSync(process.execPath, answer, { cwd: project, env }).status === 0
  for (let tries = 0; tries < 100 && !isAnswered(); tries++);
  return printed
}
