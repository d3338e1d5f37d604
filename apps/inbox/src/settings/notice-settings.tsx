import { type ReactElement, useEffect, useState } from 'react'
import { type NoticeState, noticeState, showsText, turnOff, turnOn } from './push-subscription.ts'

const WORDS: Partial<Record<NoticeState, string>> = {
  unsupported:
    'This browser shows no notices here. On an iPhone or iPad, add the inbox to the home screen and open it from there.',
  blocked: 'Notices are blocked for this page. The settings of the browser allow them again.',
}

/** Whether this browser tells the person about questions while the page is closed. */
export function NoticeSettings(): ReactElement {
  const [state, setState] = useState<NoticeState | null>(null)
  const [isTextShown, setTextShown] = useState(showsText)
  const [problem, setProblem] = useState<string | null>(null)
  const look = (): Promise<void> => noticeState().then(setState)
  useEffect(() => {
    void noticeState().then(setState)
  }, [])
  const act = (work: () => Promise<void>): void => {
    setProblem(null)
    work().then(look, (error: Error) => setProblem(`This did not work: ${error.message}`))
  }
  const isOn = state === 'on'
  return (
    <section aria-labelledby="notices-title">
      <h3 id="notices-title">Notices in this browser</h3>
      <div role="status">
        {state !== null && WORDS[state] && <p>{WORDS[state]}</p>}
        {isOn && <p>This browser tells you about questions that wait, also while the page is closed.</p>}
        {problem !== null && <p className="note">{problem}</p>}
      </div>
      {(isOn || state === 'off') && (
        <>
          <button
            type="button"
            className="plain"
            onClick={() => act(() => (isOn ? turnOff() : turnOn(isTextShown)))}
          >
            {isOn ? 'Turn notices off' : 'Turn notices on'}
          </button>
          <label>
            <input
              type="checkbox"
              checked={isTextShown}
              onChange={({ target }) => {
                setTextShown(target.checked)
                if (isOn) act(() => turnOn(target.checked))
              }}
            />{' '}
            Show the words of questions in notices
          </label>
        </>
      )}
    </section>
  )
}
