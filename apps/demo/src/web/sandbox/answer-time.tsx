import type { ReactElement } from 'react'
import type { AnswerTimes } from '../../shared/api.ts'

/** How long the answer took to reach the agent, and what was measured. */
export function AnswerTime({ times }: { times: AnswerTimes | null }): ReactElement {
  return (
    <li data-done={times !== null}>
      <h3>
        Resumed <span className="quiet">measured by the host</span>
      </h3>
      {times === null ? (
        <p className="quiet">Your answer is timed until the agent has confirmed it.</p>
      ) : (
        <>
          <p className="measure">{times.confirmedMs.toFixed(1)} ms</p>
          <p className="quiet">
            from the arrival of your answer at the host until the host saw the agent’s receipt. Between the
            times that both wrote into their files: {times.writtenMs} ms.
          </p>
        </>
      )}
    </li>
  )
}
