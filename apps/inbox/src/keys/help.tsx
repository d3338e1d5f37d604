import type { ReactElement, RefObject } from 'react'

const KEYS: readonly (readonly [string, string])[] = [
  ['j k', 'next question, question before'],
  ['1 … 9', 'pick an option; in an approval: point at a button'],
  ['a', 'point at Allow. Of a long call: read on'],
  ['d', 'point at Deny or Decline'],
  ['Enter', 'press what is pointed at; else: to the form'],
  ['z', 'undo'],
  ['s', 'not now, or back again'],
  ['e', 'done with what has ended: go on'],
  ['x', 'select an approval; with Shift: all up to it'],
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
