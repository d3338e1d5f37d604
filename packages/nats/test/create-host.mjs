import { createNatsFleet } from '@sandagent/nats'
import { createStoreHostChannel } from '@sandagent/store'

/** The host's end of a channel over NATS, for a process of its own. @param {string} servers @param {string} namespace */
export const createHost = (servers, namespace) =>
  createStoreHostChannel(createNatsFleet({ servers }).questions(namespace))
