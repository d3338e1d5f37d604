import { digestOf, type GrantScope, type Viewer } from '@sandagent/core/internal'
import { endOf, type Grant } from './grant.ts'
import type { Call } from './reach/edit-folder.ts'
import { isWithin, type Reach, reachesOf, reachText, reachWarning } from './reach/reach.ts'
import { isOfRun, OFFERED_SPANS, type Span } from './reach/span.ts'

/** A scope that the host offers, and what its grant would be made of. */
export interface OfferedScope extends GrantScope {
  reach: Reach
  span: Span['kind']
}

/** A call, and where it is asked. */
export interface PlacedCall extends Call {
  place: string
  runId: string
  process?: string | undefined
}

/** The same, with the owner of its run. */
export interface AskedCall extends PlacedCall {
  owner: string | undefined
}

/** What a person can allow beyond a call, the narrowest first. */
export function scopesOf(call: Call): OfferedScope[] {
  const [exact, ...wider] = reachesOf(call)
  const [narrower = exact] = wider
  const widest = wider.at(-1)
  const between = wider.slice(0, -1)
  const scopes: [Reach | undefined, Span['kind']][] = [
    [exact, 'run'],
    ...between.map((reach): [Reach, Span['kind']] => [reach, 'run']),
    [widest, 'time'],
    [widest, 'run'],
    [exact, 'folder'],
    [narrower === exact ? undefined : narrower, 'folder'],
  ]
  return scopes.flatMap(([reach, span]) => (reach ? [scopeOf(reach, span)] : []))
}

const scopeOf = (reach: Reach, span: Span['kind']): OfferedScope => ({
  id: digestOf([reach, span]).slice(0, 16),
  covers: `${reachText(reach)}, ${OFFERED_SPANS[span]}.${reachWarning(reach)}`,
  reach,
  span,
})

/** The grant that covers a call now. */
export const grantFor = (grants: readonly Grant[], call: AskedCall, now: number): Grant | undefined =>
  grants.find(
    (grant) =>
      isForRun(grant, call) &&
      isOfRun(grant.span, call) &&
      endOf(grant, now) === null &&
      isWithin(grant.reach, call).isCovered,
  )

/** A grant holds in its place, and for the runs of its owner. */
const isForRun = (grant: Grant, call: AskedCall): boolean =>
  grant.place === call.place && grant.owner === call.owner

/**
 * Why a grant that seems to be for a call does not allow it, in one sentence. The latest grant counts.
 *
 * @param grants the latest first
 */
export function whyAskedAgain(
  grants: readonly Grant[],
  call: AskedCall,
  now: number,
): NonNullable<Viewer['offer']>['asksAgain'] {
  for (const grant of grants) {
    if (!isForRun(grant, call)) continue
    const what = `The permission for ${lowerFirst(reachText(grant.reach))}`
    const { isCovered, why } = isWithin(grant.reach, call)
    const end = endOf(grant, now)
    if (isCovered && end !== null) return `${what} ${endText(grant, now - end)}.`
    if (isCovered && !isOfRun(grant.span, call)) return `${what} was for another run.`
    if (why !== undefined && end === null) return `${what} does not cover this: ${why}.`
  }
  return undefined
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

function endText({ ended }: Grant, agoMs: number): string {
  const minutes = Math.max(0, Math.round(agoMs / 60_000))
  const ago =
    minutes < 1 ? 'just now' : minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} hours ago`
  if (ended?.kind === 'revoked')
    return `was taken back ${ended.by === undefined ? '' : `by ${ended.by} `}${ago}`
  return ended ? `ended with its run ${ago}` : `ended ${ago}`
}
