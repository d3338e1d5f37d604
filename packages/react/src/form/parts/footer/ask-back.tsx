import { type KeyboardEvent, type ReactElement, useState } from 'react'
import { englishAskBackLabels } from '../../labels/ask-back-labels.ts'
import type { AskingBackProps } from '../../state/ask-form.ts'
import { TextArea } from '../text-area.tsx'

/** The button that asks the agent something in place of an answer, and its field. While the field is there, it is alone. */
export function AskBack({ form }: AskingBackProps): ReactElement {
  const { ask, components } = form
  const labels = { ...englishAskBackLabels, ...form.labels }
  const [state, setState] = useState<'new' | 'open' | 'closed'>('new')
  const [text, setText] = useState('')
  if (state !== 'open')
    return (
      // It comes back in the place of the field that had the focus.
      <components.Button autoFocus={state === 'closed'} onClick={() => setState('open')}>
        {ask.kind === 'approval' ? labels.askFirst : labels.chat}
      </components.Button>
    )

  const close = (): void => setState('closed')
  const send = (within: Element): void => {
    if (text.trim() === '') return
    const status = within.closest('.sa-ask')?.querySelector<HTMLElement>('[role=status]')
    ask.askBack(text.trim())
    status?.focus()
  }
  // The keys of the form mean its answer.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    event.stopPropagation()
    const { key, shiftKey, altKey, currentTarget, nativeEvent } = event
    const isTyping = nativeEvent.isComposing || nativeEvent.keyCode === 229 || altKey || shiftKey
    if (isTyping || (key !== 'Escape' && (key !== 'Enter' || !(event.target instanceof HTMLTextAreaElement))))
      return
    event.preventDefault()
    if (key === 'Enter') send(currentTarget)
    else close()
  }
  return (
    <fieldset className="sa-decline sa-ask-back" onKeyDown={onKeyDown}>
      <legend className="sa-legend">{labels.askBackTitle}</legend>
      <TextArea
        autoFocus
        aria-label={labels.askBackField}
        placeholder={labels.askBackField}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="sa-actions">
        <components.Button onClick={close}>{labels.askBackCancel}</components.Button>
        <components.Button
          look="primary"
          data-sends=""
          disabled={text.trim() === ''}
          onClick={({ currentTarget }) => send(currentTarget)}
        >
          {labels.askBackSend}
        </components.Button>
      </div>
    </fieldset>
  )
}
