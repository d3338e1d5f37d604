import { isSealedFor, questionTitle, responseTo } from '@sandagent/core/internal'
import { sealSecret } from '@sandagent/core/secret'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react'
import { englishSecretLabels } from '../../labels/secret-labels.ts'
import type { QuestionPartProps } from '../../state/ask-form.ts'

/** The field for a secret. What is typed is nowhere but in the field itself: its ciphertext is entered after each key. */
export function SecretField({ form, question }: QuestionPartProps): ReactElement {
  const { ask, components } = form
  const labels = { ...englishSecretLabels, ...form.labels }
  const { id, secret } = question
  const questionDigest = ask.view?.questionDigest
  const field = useRef<HTMLInputElement>(null)
  const turn = useRef(0)
  const [isShown, setShown] = useState(false)
  const [lines, setLines] = useState(0)
  const [problem, setProblem] = useState('')
  const [goesOn, setGoesOn] = useState(false)
  const place = `${form.id}${ask.questions.indexOf(question)}`
  const response = responseTo(ask.responses, question)
  const sealed = response && !('skipped' in response) ? response.sealed : undefined
  const isReady = typeof secret === 'object' && questionDigest !== undefined

  const seal = async (text: string): Promise<void> => {
    const mine = ++turn.current
    setProblem('')
    // What was encrypted before is not what stands there now.
    if (sealed !== undefined || text === '') ask.enter(id, { sealed: undefined })
    if (text === '' || !isReady) return
    try {
      const now = await sealSecret(text, secret.publicKey, {
        toolCallId: ask.toolCallId,
        questionId: id,
        questionDigest,
      })
      if (mine === turn.current) ask.enter(id, { sealed: now })
    } catch (error) {
      if (mine === turn.current) setProblem((error as Error).message)
    }
  }

  // Asked again, the question has another key.
  const isOutdated = sealed !== undefined && ask.isEditable && !isSealedFor(question, sealed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each key
  useEffect(() => {
    if (isOutdated) void seal(field.current?.value ?? '')
  }, [isOutdated])
  // Enter may come before the last key is encrypted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is
  useEffect(() => {
    if (!goesOn || (sealed === undefined && field.current?.value)) return
    setGoesOn(false)
    form.goOn()
  }, [goesOn, sealed])

  if (!globalThis.crypto?.subtle) return <p className="sa-hint">{labels.cannotEncrypt}</p>
  const isGiven = sealed !== undefined && !isOutdated
  // A field of one line would join them.
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text')
    const count = text.trimEnd().split('\n').length
    if (count < 2 || !field.current) return
    event.preventDefault()
    field.current.value = ''
    setLines(count)
    void seal(text)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, shiftKey, nativeEvent } = event
    if (key !== 'Enter' || altKey || shiftKey || nativeEvent.isComposing || nativeEvent.keyCode === 229)
      return
    event.preventDefault()
    event.stopPropagation()
    setGoesOn(true)
  }
  const remove = (): void => {
    if (field.current) field.current.value = ''
    setLines(0)
    void seal('')
    field.current?.focus()
  }
  return (
    <div className="sa-own" data-checked={isGiven || undefined}>
      <input
        ref={field}
        id={`${place}own`}
        className="sa-input"
        type={isShown ? 'text' : 'password'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={!ask.isEditable || !isReady}
        aria-invalid={ask.stateOf(id) === 'invalid' || undefined}
        aria-describedby={`${place}body ${place}hint ${place}secret`}
        placeholder={
          isGiven ? (lines > 0 ? labels.secretLines(lines) : labels.secretGiven) : question.placeholder
        }
        onChange={({ target }) => {
          setLines(0)
          void seal(target.value)
        }}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
      />
      <p className="sa-hint" id={`${place}secret`} dir="auto" role={problem ? 'alert' : undefined}>
        {problem || labels.secretHint}
      </p>
      <div className="sa-more">
        <components.Button
          look="quiet"
          aria-label={labels.about(isShown ? labels.hideSecret : labels.showSecret, questionTitle(question))}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? labels.hideSecret : labels.showSecret}
        </components.Button>
        {isGiven && (
          <components.Button look="quiet" onClick={remove}>
            {labels.removeSecret}
          </components.Button>
        )}
      </div>
    </div>
  )
}
