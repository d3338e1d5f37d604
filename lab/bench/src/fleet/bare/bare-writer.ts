// A host with a carrier's bare client, in a process of its own: stores what its parent names.

import pLimit from 'p-limit'
import { carrierOf } from '../carriers.ts'

const [name, url = '', text = ''] = process.argv.slice(2)
const bare = await carrierOf(name).bare(url)

/** How many texts are stored at once: as many as a host of the fleet stores answers. */
const storing = pLimit(16)

process.on('message', async (texts: { namespace: string; key: string }[]) => {
  await Promise.all(texts.map(({ namespace, key }) => storing(() => bare.store(namespace, key, text))))
})
process.send?.('ready')
