import type { AutoSubmit } from '@sandagent/core'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { AskForm } from './ask-form.ts'
import { completesSet, entryOf, hasEntries, isSingleChoice, openQuestions, wouldDecline } from './entries.ts'
import { useBrowserEffect } from './use-browser-effect.ts'
import { useFocusMove } from './use-focus-move.ts'

type Given = Pick<
  AskForm,
  'ask' | 'labels' | 'components' | 'options' | 'previewFormat' | 'markdown' | 'isStepwise' | 'focused'
> & {
  autoSubmit: AutoSubmit
  /** The element around everything that may get the focus. */
  root: RefObject<HTMLElement | null>
  /** Whether the next pick is made by hand. Picking resets it. */
  byHand: RefObject<boolean>
}

/** The state of the form: the step, what is open, and where the focus goes after the person's own actions. */
export function useAskForm({ root, byHand, autoSubmit, ...given }: Given): AskForm {
  const { ask, isStepwise } = given
  const { questions, status } = ask
  const [wantedStep, setStep] = useState(0)
  const [isDeclining, setDeclining] = useState(false)
  const [reason, setReason] = useState('')
  const [openNotes, setOpenNotes] = useState<ReadonlySet<string>>(new Set())
  const wasSent = useRef(false)
  const moveFocus = useFocusMove(root)
  const step = Math.min(wantedStep, questions.length)
  const isReview = isStepwise && questions.length > 0 && step === questions.length

  const focusQuestion = (position: number): void => {
    const place = `[data-position="${position}"]`
    // Not a field that filters: on a phone, its keyboard would hide the options.
    moveFocus(`${place} input:checked`, `${place} :is(input:not([type=search]), textarea)`, place)
  }
  const goTo: AskForm['goTo'] = (next, options) => {
    ask.undo()
    setStep(next)
    setDeclining(false)
    if (!options?.keepFocus) focusQuestion(next)
  }
  const send = (): void => {
    wasSent.current = true
    moveFocus('[role=status]')
  }

  // A pick that was sent by itself leaves the focus on its option, which is disabled now.
  useBrowserEffect(() => {
    if (status === 'sending' && root.current?.querySelector('form')?.contains(document.activeElement))
      root.current.querySelector<HTMLElement>('[role=status]')?.focus()
  }, [status, root])

  // After an answer failed, the focus goes to the retry button. A failed draft leaves the focus alone.
  useEffect(() => {
    if (status === 'failed' && wasSent.current)
      root.current?.querySelector<HTMLElement>('.sa-problem button')?.focus()
    if (status === 'failed' || status === 'waiting') wasSent.current = false
  })

  const form: AskForm = {
    ...given,
    id: useId(),
    step,
    isReview,
    isDeclining,
    reason,
    setReason,
    openNotes,
    goTo,
    goOn() {
      if (isStepwise && !isReview) goTo(step + 1)
      else if (hasEntries(ask) || openQuestions(ask).length > 0 || wouldDecline(ask)) form.submit()
      // A key sends no form in which nothing was entered: its button does.
      else moveFocus('[data-sends]')
    },
    pick(question, value) {
      const isDecided = byHand.current && isSingleChoice(question)
      byHand.current = false
      const sends = isDecided && form.sendsOnPick(question)
      ask.selectAnswer(question.id, value, question.multiSelect, { autoSubmit: sends && autoSubmit })
      if (sends) {
        if (autoSubmit === 'immediately') send()
      } else if (isDecided && isStepwise) goTo(questions.indexOf(question) + 1)
    },
    sendsOnPick: (question) => autoSubmit !== false && completesSet(ask, question),
    skip(question) {
      ask.skip(question.id)
      if (isStepwise) goTo(questions.indexOf(question) + 1)
    },
    openNote(question) {
      ask.undo()
      setOpenNotes(new Set([...openNotes, question.id]))
      moveFocus(`[data-position="${questions.indexOf(question)}"] .sa-note textarea`)
    },
    answerWith(question, text) {
      ask.setFreeText(question.id, text)
      // An answer would leave without the files that are on their way.
      const isHeld = root.current?.querySelector('[data-uploading]')
      if (questions.length > 1 || isHeld) return goTo(questions.indexOf(question) + (isStepwise ? 1 : 0))
      ask.submit()
      send()
    },
    submit(options) {
      if (wouldDecline(ask, options?.partial)) return form.setDeclining(true)
      // What does not fit is never sent.
      const [firstMissing] = openQuestions(ask).filter(
        (question) => !options?.partial || entryOf(ask, question).isAnswered,
      )
      ask.submit(options)
      if (firstMissing) goTo(questions.indexOf(firstMissing))
      else send()
    },
    setDeclining(next) {
      ask.undo()
      setDeclining(next)
      if (next) moveFocus('.sa-actions [data-safe]')
      else focusQuestion(step)
    },
    decline() {
      ask.decline(reason.trim() || undefined)
      setDeclining(false)
      send()
    },
    retry() {
      ask.retry()
      send()
    },
    undo() {
      ask.undo()
      focusQuestion(isReview ? 0 : step)
    },
  }
  return form
}
