// Loaded before a program: the system refuses to watch, as it does where its limit is reached and on some network disks.

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const refuse = (): never => {
  throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
    code: 'ENOSPC',
    errno: -28,
    syscall: 'watch',
  })
}
Object.assign(fs, { watch: refuse })
Object.assign(fs.promises, { watch: refuse })
syncBuiltinESMExports()
