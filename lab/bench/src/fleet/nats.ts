import { Kvm } from '@nats-io/kv'
import { connect } from '@nats-io/transport-node'
import { createNatsFleet, createNatsQuestions } from '@sandagent/nats'
import type { Carrier } from './carrier.ts'
import { startNats } from './nats-server.ts'

const BUCKET = 'bare'

export const nats: Carrier = {
  name: 'nats',
  start: startNats,
  fleet: (servers) => createNatsFleet({ servers }),
  runner: (servers, namespace) => createNatsQuestions({ servers, namespace }),
  async bare(servers) {
    const connection = await connect({ servers })
    const bucket = await new Kvm(connection).create(BUCKET)
    return {
      async store(namespace, key, text) {
        await bucket.create(`${namespace}.${key}`, text)
      },
      async listen(namespace, onKey) {
        const changes = await bucket.watch({ key: `${namespace}.*` })
        const follow = async (): Promise<void> => {
          for await (const { key } of changes) onKey(key.slice(namespace.length + 1))
        }
        void follow()
      },
      close: () => connection.close(),
    }
  },
}
