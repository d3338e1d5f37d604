import { defineScenario, type Scenario } from '../lib/scenario.ts'
import { measureNats } from './measure-nats.ts'
import { measurePostgres } from './measure-postgres.ts'

export const fleetSize: Scenario = defineScenario({
  title: 'what 100,000 questions take in the stores',
  keys: {
    'postgres.recordBytes': 'the record of a question with three options that have descriptions',
    'postgres.answerBytes': 'its signed answer file',
    'postgres.openBytes': 'an open question in the tables, with indexes',
    'postgres.openIndexBytes': 'its indexes',
    'postgres.settledBytes':
      'a settled question with its answer, with indexes and the space of older versions',
    'postgres.askWalBytes': 'write-ahead log of a question',
    'postgres.answerWalBytes': 'write-ahead log of an answer and its receipt',
    'postgres.coldAnswerWalBytes': 'the same right behind a checkpoint, each in pages of its own',
    'postgres.notifyCpuMs': 'CPU time of the server for a notification that one connection hears',
    'postgres.listenerCpuMs': 'the same for each further connection that listens',
    'postgres.connectionBytes': 'memory of the server for a connection that listens',
    'nats.openBytes': 'an open question in the files of the server, without replicas',
    'nats.serverBytes': 'memory of the server for an open question',
    'nats.hostBytes': 'heap of each host for an open question',
  },
  byNameOnly: true,
  async measure({ quick }) {
    const count = quick ? 10_000 : 100_000
    const [postgres, nats] = [await measurePostgres(count), await measureNats(count)]
    return {
      'postgres.recordBytes': postgres?.recordBytes ?? null,
      'postgres.answerBytes': postgres?.answerBytes ?? null,
      'postgres.openBytes': postgres?.openBytes ?? null,
      'postgres.openIndexBytes': postgres?.openIndexBytes ?? null,
      'postgres.settledBytes': postgres?.settledBytes ?? null,
      'postgres.askWalBytes': postgres?.askWalBytes ?? null,
      'postgres.answerWalBytes': postgres?.answerWalBytes ?? null,
      'postgres.coldAnswerWalBytes': postgres?.coldAnswerWalBytes ?? null,
      'postgres.notifyCpuMs': postgres?.notifyCpuMs ?? null,
      'postgres.listenerCpuMs': postgres?.listenerCpuMs ?? null,
      'postgres.connectionBytes': postgres?.connectionBytes ?? null,
      'nats.openBytes': nats?.openBytes ?? null,
      'nats.serverBytes': nats?.serverBytes ?? null,
      'nats.hostBytes': nats?.hostBytes ?? null,
    }
  },
})
