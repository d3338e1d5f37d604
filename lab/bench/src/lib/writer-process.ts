// The other process: replaces files as a host does, and tells when it renamed them.

import { durableWrite } from './durable-write.ts'
import type { WriteOrder, Written } from './writer.ts'

process.on('message', ({ path, text }: WriteOrder) => {
  process.send?.({ renamedAt: String(durableWrite(path, text)) } satisfies Written)
})
