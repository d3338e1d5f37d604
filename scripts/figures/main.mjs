// Prints how large the product is: `npm run check -- --figures`. It installs packages from the registry, as a user does.

import { heartLines, hookLines } from './bundled-lines.mjs'
import { hostInstall } from './host-install.mjs'
import { sourceLines } from './source-lines.mjs'
import { longFiles, wideFolders } from './tree.mjs'
import { entriesOf } from './workspace.mjs'

const lines = sourceLines()
table('Lines of packages/*/src and packages/*/migrations', lines)
table('The heart, bundled: own lines without comments', await heartLines())
table('useAskUserQuestion alone, bundled', await hookLines())
const entries = entriesOf('sdk').filter((name) => !name.endsWith('.css'))
console.log(`\n@sandagent/sdk: ${lines.get('sdk')} lines, ${entries.length} entries (${entries.join(' ')})`)
const { packages, megabytes, warnings } = await hostInstall()
console.log(`\nInstall of sdk and react, for a host that only answers: ${packages} packages, ${megabytes} MB`)
list('Its warnings', warnings)
list('Folders of over 15 entries', wideFolders())
list('Files of over 250 lines', longFiles())

/**
 * @param {string} title
 * @param {ReadonlyMap<string, number>} counts
 */
function table(title, counts) {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.log(`\n${title}: ${total}`)
  for (const [name, count] of [...counts].sort(([, one], [, other]) => other - one))
    console.log(`  ${String(count).padStart(6)}  ${name}`)
}

/**
 * @param {string} title
 * @param {readonly string[]} items
 */
function list(title, items) {
  console.log(`\n${title}: ${items.length === 0 ? 'none' : ''}`)
  for (const item of items) console.log(`  ${item}`)
}
