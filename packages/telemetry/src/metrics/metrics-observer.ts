import type { Meter } from '@opentelemetry/api'
import type { Observer } from '@sandagent/core/internal'
import { errorType, NAMES } from '../names.ts'
import { askMetrics } from './ask-metrics.ts'

export function metricsObserver(meter: Meter): Observer {
  const asks = askMetrics(meter)
  const stored = meter.createCounter('sandagent.answers.stored', {
    description: 'Drafts, votes and answers that the host has stored',
    unit: '{answer}',
  })
  const refused = meter.createCounter('sandagent.answers.refused', {
    description: 'Requests to store an answer that the host refused, and forgeries that the runner ignored',
    unit: '{answer}',
  })
  return {
    begin(operation) {
      if (operation.name === 'ask') return asks(operation.record)
      if (operation.name !== 'store') return undefined
      return {
        end({ stored: answer, error }) {
          if (error !== undefined)
            refused.add(1, { [NAMES.error]: errorType(error), [NAMES.refusedBy]: 'host' })
          if (answer)
            stored.add(1, { [NAMES.status]: answer.missingVotes === undefined ? answer.status : 'vote' })
        },
      }
    },
    incident(incident) {
      if (incident.name === 'warning') return
      const by = incident.name === 'forgery' ? 'runner' : 'host'
      refused.add(1, { [NAMES.error]: incident.code, [NAMES.refusedBy]: by })
    },
  }
}
