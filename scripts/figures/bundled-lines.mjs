import { relative } from 'node:path'
import { rolldown } from 'rolldown'
import { fromSources } from '../bundle.mjs'
import { root } from '../run.mjs'
import { packageOf } from './workspace.mjs'

/** What it takes to ask a question and to answer it over HTTP. */
export const heartLines = () =>
  bundledLines([
    "export { askUser, receiptsWritten } from '@sandagent/runner'",
    "export { createFileRunnerChannel } from '@sandagent/files'",
    "export { createAnswerHandler, submitAnswer, toNodeHandler } from '@sandagent/sdk'",
  ])

export const hookLines = () => bundledLines(["export { useAskUserQuestion } from '@sandagent/react'"])

/**
 * Bundles what the lines export, without what nothing there uses and without packages of others.
 *
 * @param {readonly string[]} entry
 * @returns {Promise<ReadonlyMap<string, number>>} lines of JavaScript that are neither empty nor comments, by package
 */
async function bundledLines(entry) {
  const build = await rolldown({
    input: ENTRY,
    cwd: root,
    platform: 'node',
    external: /^(?![./\0])(?!@sandagent\/)(?!entry$)/,
    plugins: [
      fromSources,
      {
        name: 'entry',
        resolveId: (source) => (source === ENTRY ? `\0${ENTRY}` : null),
        load: (id) => (id === `\0${ENTRY}` ? entry.join('\n') : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'es', comments: false })
  await build.close()
  const counts = new Map()
  for (const part of output)
    for (const [id, module] of Object.entries(part.type === 'chunk' ? part.modules : {})) {
      const lines = (module.code ?? '').split('\n').filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length
      const name = packageOf(relative(root, id))
      if (lines > 0) counts.set(name, (counts.get(name) ?? 0) + lines)
    }
  return counts
}

const ENTRY = 'entry'
