import type { ReactElement, RefObject } from 'react'

const KEYS: readonly (readonly [string, string])[] = [
  ['j', 'next question'],
  ['k', 'question before'],
  ['Enter', 'to the form'],
  ['1 … 9', 'pick an option'],
  ['s', 'not now, or back again'],
  ['/', 'search'],
  ['Esc', 'back to the list'],
  ['?', 'this help'],
]

/** The keys of the page. The form shows its own. */
export const Help = ({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }): ReactElement => (
  <dialog ref={dialog} className="help" aria-labelledby="help-title">
    <h2 id="help-title">Keys</h2>
    <dl>
      {KEYS.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog">
      <button type="submit" className="plain">
        Close
      </button>
    </form>
  </dialog>
)
