import { type ReactElement, useState } from 'react'
import type { Inspection } from '../../shared/api.ts'
import { readJson, useFetched } from '../use-fetched.ts'
import { AnswerTime } from './answer-time.tsx'
import { TravellingFileView } from './travelling-file-view.tsx'

interface InspectorProps {
  toolCallIds: readonly string[]
  isRunning: boolean
}

/** One question: its record, its answer file, and how long the answer took. */
export function Inspector({ toolCallIds, isRunning }: InspectorProps): ReactElement {
  const [picked, setPicked] = useState<string | null>(null)
  const latest = toolCallIds.at(-1) ?? null
  const shown = picked !== null && toolCallIds.includes(picked) ? picked : latest
  const url = shown === null ? null : `/api/inspector?toolCallId=${encodeURIComponent(shown)}`
  const inspection = useFetched<Inspection>(url, readJson, isRunning)

  return (
    <section aria-labelledby="inspector-title">
      <h2 id="inspector-title">What travels</h2>
      {toolCallIds.length > 1 && (
        <div className="tabs">
          {toolCallIds.map((id, index) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === shown}
              onClick={() => setPicked(id === latest ? null : id)}
            >
              Question {index + 1}
            </button>
          ))}
        </div>
      )}
      {inspection === null ? (
        <p className="quiet">
          As soon as the agent asks, its question file and your answer file show up here, as they are on disk.
        </p>
      ) : (
        <ol className="way">
          <TravellingFileView
            title="Question"
            writer="written by the agent"
            file={inspection.question}
            state="state"
          />
          <TravellingFileView
            title="Answer"
            writer="written by the host"
            file={inspection.answerFile}
            state="status"
            showKey="answers"
          />
          <AnswerTime times={inspection.times} />
        </ol>
      )}
    </section>
  )
}
