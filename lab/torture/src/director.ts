import { join } from 'node:path'
import { questionRecordPath } from '@sandagent/files'
import { type Case, hasEnded, isOver, type PlannedAct } from './check/case.ts'
import { checkCase, isAnswer } from './check/check-case.ts'
import { checkFiles } from './check/check-files.ts'
import { createRandom, type Random } from './lib/random.ts'
import { removeSettled } from './lib/settled-record.ts'
import { createTimers } from './lib/timers.ts'
import { shortToken } from './lib/token.ts'
import type { Report } from './messages.ts'
import type { OnViolation } from './violation.ts'
import { playFrozenDraft } from './world/frozen-draft.ts'
import { actsOf, newCase } from './world/new-case.ts'
import { SECOND_RUNNER } from './world/parts.ts'
import { type PlanName, type PlannedPerson, type PlanWeights, planQuestion } from './world/plans.ts'
import type { PartProcess } from './world/process.ts'
import type { World } from './world/world.ts'

interface DirectorFigures {
  asked: number
  /** Final answers that a person was told are stored. */
  acknowledged: number
  /** Answers that an agent got. */
  delivered: number
}

/** Asks questions, lets people answer them, and compares what everybody was told. */
export interface Director {
  readonly figures: DirectorFigures
  /** Questions that are over: their ids, runs and outcomes. */
  readonly done: readonly Case[]
  /** Questions that are not over. */
  open(): readonly Case[]
  /** Keeps so many questions going until `stop`. */
  start(count: number): void
  stop(): void
  /** Drops what is planned. */
  end(): void
  onReport(part: PartProcess, report: Report): void
  onReady(part: PartProcess): void
}

export function createDirector(
  getWorld: () => World,
  {
    random,
    weights,
    onViolation,
  }: { random: Random; weights: PlanWeights | undefined; onViolation: OnViolation },
): Director {
  const figures: DirectorFigures = { asked: 0, acknowledged: 0, delivered: 0 }
  const cases = new Map<string, Case>()
  const acts = new Map<string, { planned: PlannedAct; of: Case }>()
  const done: Case[] = []
  const plans = new Map<Case, { name: PlanName; people: PlannedPerson[] }>()
  const { later, drop } = createTimers()
  const wantsTwice = new Set<Case>()
  /** Their runner is killed, so that they can be asked again. */
  const restarting = new Set<Case>()
  const seed = random.below(2 ** 31)
  let [count, tokens] = [0, 0]

  const part = (name: string): PartProcess => {
    const found = getWorld().parts.get(name)
    if (!found) throw new Error(`There is no part ${name}`)
    return found
  }
  const runnersOf = (one: Case): string[] => [
    `runner-${one.run}`,
    ...(plans.get(one)?.name === 'two runners' ? [SECOND_RUNNER] : []),
  ]
  const ask = (one: Case): void => {
    for (const name of runnersOf(one)) part(name).order({ ask: one.ask })
  }
  const begin = (planned: PlannedAct): void => {
    if (planned.follows && !planned.follows.ending) later(50, () => begin(planned))
    else part(planned.by).order({ act: planned.act })
  }

  const askNext = (): void => {
    // What happens to a question does not depend on how long the others take.
    const own = createRandom(seed + ++figures.asked)
    const plan = planQuestion(own, weights)
    const one = newCase(figures.asked, plan, own)
    plans.set(one, plan)
    cases.set(one.ask.toolCallId, one)
    addPeople(one, plan.people, own)
    ask(one)
  }

  const addPeople = (one: Case, people: readonly PlannedPerson[], own: Random): void => {
    one.acts = actsOf(one, people, own, () => ++tokens)
    for (const planned of one.acts) acts.set(planned.act.act, { planned, of: one })
  }

  const onAsked = (one: Case): void => {
    if (one.isAsked) return
    one.isAsked = true
    const plan = plans.get(one)
    if (plan?.name === 'a frozen draft') {
      void playFrozenDraft(one, getWorld(), begin)
      return
    }
    one.acts.forEach((planned, n) => {
      const { afterMs = 0, isNext = false } = plan?.people[n] ?? {}
      if (isNext) planned.follows = one.acts[n - 1]
      later(afterMs, () => begin(planned))
    })
  }

  const onActReport = (id: string, use: (planned: PlannedAct, of: Case) => void): void => {
    const found = acts.get(id)
    if (!found) return // Its question is over.
    use(found.planned, found.of)
    finish(found.of)
  }

  const send = ({ by, act: { act } }: PlannedAct): void => part(by).order({ send: act })

  const finish = (one: Case): void => {
    if (!isOver(one) || cases.get(one.ask.toolCallId) !== one) return
    const plan = plans.get(one)
    // Both runners get the outcome. Now and then, an agent asks once more what it asked before: it must get the same.
    const runners = new Set(one.outcomes.map(({ by }) => by))
    if (runners.size < runnersOf(one).length) return
    if (one.outcomes.length < (wantsTwice.has(one) ? 2 : 1)) return
    if (one.outcomes.length === 1 && random.chance(0.05)) {
      wantsTwice.add(one)
      ask(one)
      return
    }
    wantsTwice.delete(one)
    checkCase(one, onViolation)
    // Nobody else looks at it later, and puts it right.
    if (plan?.name === 'a frozen draft') checkFiles(getWorld(), [one], onViolation)
    cases.delete(one.ask.toolCallId)
    plans.delete(one)
    for (const { act } of one.acts) acts.delete(act.act)
    figures.acknowledged += one.acts
      .filter(isAnswer)
      .filter(({ ending }) => ending?.kind === 'acknowledged').length
    if (['answered', 'declined'].includes(one.outcomes[0]?.kind ?? '')) figures.delivered++
    if (plan?.name === 'asked again' && one.ask.generation === 0) void askAgain(one)
    else {
      done.push(one)
      fill()
    }
  }

  /**
   * Loses the record of a question while its runner is dead, and asks the same with the same id: the earlier answer must not
   * count.
   */
  const askAgain = async (before: Case): Promise<void> => {
    restarting.add(before)
    const { toolCallId } = before.ask
    const runner = part(`runner-${before.run}`)
    runner.signal('SIGKILL')
    await runner.gone()
    const path = join(getWorld().workdirs[before.run] as string, questionRecordPath(toolCallId))
    if (removeSettled(path)) {
      const again: Case = {
        ...before,
        ask: { ...before.ask, generation: 1 },
        isAsked: false,
        acts: [],
        outcomes: [],
      }
      const person: PlannedPerson = { manner: 'send', kind: 'writer', afterMs: 200 }
      plans.set(again, { name: 'asked again', people: [person] })
      cases.set(toolCallId, again)
      addPeople(again, [person], random)
      ask(again)
    } else done.push(before)
    restarting.delete(before)
    fill()
  }

  const fill = (): void => {
    while (cases.size < count) askNext()
  }

  return {
    figures,
    done,
    open: () => [...cases.values(), ...restarting],
    start(many) {
      count = many
      fill()
    },
    stop() {
      count = 0
    },
    end() {
      cases.clear()
      drop()
    },
    onReady({ name }) {
      for (const one of cases.values()) {
        if (runnersOf(one).includes(name)) part(name).order({ ask: one.ask })
        if (one.isAsked)
          for (const planned of one.acts) if (planned.by === name && !hasEnded(planned)) begin(planned)
      }
    },
    onReport({ name }, report) {
      if ('asked' in report) {
        const one = cases.get(report.asked)
        if (one?.ask.generation === report.generation) onAsked(one)
      } else if ('outcome' in report) {
        const one = cases.get(report.outcome)
        if (one?.ask.generation !== report.generation) return
        one.outcomes.push({ kind: report.kind, answer: report.answer, by: name })
        finish(one)
      } else if ('ended' in report)
        onActReport(report.ended, (planned) => {
          if (planned.ending && planned.ending.kind !== report.ending.kind)
            onViolation(
              'misreported',
              `${planned.act.act}: ${name} says ${planned.ending.kind}, then ${report.ending.kind}`,
            )
          planned.ending ??= report.ending
        })
      else if ('closed' in report)
        onActReport(report.closed, (planned) => {
          planned.shown = report.status
        })
      else if ('saved' in report)
        onActReport(report.saved, (planned) => {
          if (planned.act.isSaved) return
          planned.act.isSaved = true
          if (random.chance(0.5)) part(planned.by).signal('SIGKILL')
          else send(planned)
        })
      else if ('restored' in report)
        onActReport(report.restored, (planned) => {
          if (report.shown !== planned.act.token)
            onViolation(
              'lost',
              `${planned.act.act}: a saved draft is "${shortToken(report.shown ?? '')}" after a reload`,
            )
          send(planned)
        })
      else if ('torn' in report) onViolation('torn', report.torn)
      else if ('unsynced' in report)
        onViolation('lost', `${report.unsynced}: a power cut would take the answer`)
      else if ('failed' in report) onViolation('stuck', `${name} failed: ${report.failed}`)
    },
  }
}
