import type { BatchObservableCallback, Meter } from '@opentelemetry/api'
import type { Observer, QuestionCounts } from '@sandagent/core/internal'

/** Reports how many questions of this host wait, whenever metrics are collected, until `stop` is called. */
export function reportCounts(meter: Meter): { counts: NonNullable<Observer['counts']>; stop: () => void } {
  const sources = new Set<() => Promise<QuestionCounts>>()
  const open = meter.createObservableGauge('sandagent.questions.open', {
    description: 'Questions that wait for a person',
    unit: '{question}',
  })
  const age = meter.createObservableGauge('sandagent.questions.oldest_age', {
    description: 'For how long the oldest question has waited',
    unit: 's',
  })
  const unread = meter.createObservableGauge('sandagent.answers.unread', {
    description: 'Final answers that no runner has taken yet',
    unit: '{answer}',
  })
  const report: BatchObservableCallback = async (result) => {
    const settled = await Promise.allSettled([...sources].map((count) => count()))
    const all = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    if (all.length === 0) return
    const oldest = Math.min(...all.map(({ oldestAskedAt: at }) => (at === null ? Infinity : Date.parse(at))))
    result.observe(open, sum(all.map((counts) => counts.open)))
    result.observe(unread, sum(all.map((counts) => counts.unread)))
    result.observe(age, Number.isFinite(oldest) ? Math.max(0, Date.now() - oldest) / 1000 : 0)
  }
  const gauges = [open, age, unread]
  meter.addBatchObservableCallback(report, gauges)
  return {
    counts: (count) => {
      sources.add(count)
      return () => sources.delete(count)
    },
    stop: () => meter.removeBatchObservableCallback(report, gauges),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
