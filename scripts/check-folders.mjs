// Checks that no folder of the sources has too many files and folders, and no file too many lines: nobody finds a name among
// many. Checks also that no line of a comment is too long.

import { longComments, longFiles, wideFolders } from './figures/tree.mjs'

const wide = wideFolders()
const long = longFiles()
const comments = longComments()
for (const fault of wide) console.error(`${fault}. Put what belongs together into a folder of its own.`)
for (const fault of long) console.error(`${fault}. Split it where two concepts meet.`)
for (const fault of comments) console.error(`${fault}. Break it.`)
if (wide.length + long.length + comments.length > 0) process.exitCode = 1
