import { createNatsFleet } from '@sandagent/nats'

/** The host's half of a store over NATS, for a process of its own. @param {string} servers @param {string} namespace */
export const hostStore = (servers, namespace) => createNatsFleet({ servers }).questions(namespace)
