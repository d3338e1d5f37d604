// Makes every sync of a file or folder in this process slower, by the milliseconds that SLOW_SYNC_MS says.
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const slowMs = Number(process.env.SLOW_SYNC_MS ?? 0)
if (slowMs > 0) {
  const file = await open(fileURLToPath(import.meta.url))
  const handles = Object.getPrototypeOf(file)
  await file.close()
  const { sync } = handles
  handles.sync = async function () {
    await sync.call(this)
    await sleep(slowMs)
  }
}
