import { createHostChannel } from '@sandagent/core/store'
import { createNatsFleet } from '@sandagent/nats'

/** The host's end of a channel over NATS, for a process of its own. @param {string} servers @param {string} namespace */
export const createHost = (servers, namespace) =>
  createHostChannel(createNatsFleet({ servers }).questions(namespace))
