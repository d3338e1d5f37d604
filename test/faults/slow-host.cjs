// Loaded before everything else. While the file SLOW_WHILE is there, each sync waits, and says so by a file beside it. The clock
// is ahead by AHEAD_MS.

const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { SLOW_WHILE, AHEAD_MS = '0' } = process.env

if (SLOW_WHILE) {
  const { fsync, existsSync, writeFileSync } = fs
  fs.fsync = (file, done) => {
    const look = () => {
      if (!existsSync(SLOW_WHILE)) return fsync(file, done)
      writeFileSync(`${SLOW_WHILE}.waits`, '')
      setTimeout(look, 5)
    }
    look()
  }
  syncBuiltinESMExports()
}

const RealDate = Date
const now = () => RealDate.now() + Number(AHEAD_MS)
globalThis.Date = new Proxy(RealDate, {
  construct: (_, args) => (args.length === 0 ? new RealDate(now()) : Reflect.construct(RealDate, args)),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
