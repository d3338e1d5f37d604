// Checks that no folder of the sources has too many files and folders, and no file too many lines: nobody finds a name among
// many.

import { longFiles, wideFolders } from './figures/tree.mjs'

const wide = wideFolders()
const long = longFiles()
for (const fault of wide) console.error(`${fault}. Put what belongs together into a folder of its own.`)
for (const fault of long) console.error(`${fault}. Split it where two concepts meet.`)
if (wide.length + long.length > 0) process.exitCode = 1
