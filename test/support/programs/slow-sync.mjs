// Makes every sync of a file or folder in this process slower, by the milliseconds that SLOW_SYNC_MS says.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const slowMs = Number(process.env.SLOW_SYNC_MS ?? 0)
if (slowMs > 0) {
  const { fsync } = fs
  fs.fsync = (file, done) => fsync(file, (error) => setTimeout(done, slowMs, error))
  syncBuiltinESMExports()
}
