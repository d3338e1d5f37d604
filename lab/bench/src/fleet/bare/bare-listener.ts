// The other end of a carrier's bare client, in a process of its own.

import { carrierOf } from '../carriers.ts'

const [name, url = '', namespace = ''] = process.argv.slice(2)
const bare = await carrierOf(name).bare(url)
await bare.listen(namespace, (key) => process.send?.({ key, heardAt: String(process.hrtime.bigint()) }))
process.send?.('ready')
