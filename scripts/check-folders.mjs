// Checks that no folder of the sources has too many files and folders: nobody finds a name among many.

import { wideFolders } from './figures/tree.mjs'

const faults = wideFolders()
for (const fault of faults) console.error(`${fault}. Put what belongs together into a folder of its own.`)
if (faults.length > 0) process.exitCode = 1
