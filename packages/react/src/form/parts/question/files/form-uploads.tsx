import { isEnded } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { FormPartProps } from '../../../state/ask-form.ts'
import { LIST, UploadRows } from './upload-rows.tsx'
import { useHold } from './use-file-events.ts'
import { isSendingFiles, storedFiles, useUploads } from './use-uploads.ts'

/**
 * What the form does for the files of all its questions, whichever is in sight: it names in the draft what has arrived, holds
 * the answer back meanwhile, and shows what is not there yet.
 */
export function FormUploads({ form }: FormPartProps): ReactElement {
  const { ask, components, isReview, isStepwise, step } = form
  const held = useUploads(form)
  const { uploads, store, labels } = held
  const place = useRef<HTMLDivElement>(null)
  const [news, setNews] = useState('')
  const isSending = isSendingFiles(uploads)
  const hasEnded = isEnded(ask.status)

  useEffect(() => {
    if (hasEnded) store.end()
  }, [hasEnded, store])

  useEffect(() => {
    // The answer that a pick sends would leave without the files.
    if (isSending && ask.sendsAt !== null) ask.undo()
    if (!ask.isEditable || !ask.view) return
    // One at a time: the next render has it among what is entered.
    const arrived = uploads.find(({ stored }) => stored)
    const question = ask.questions.find(({ id }) => id === arrived?.question)
    if (!arrived?.stored || !question) return
    const { stored } = arrived
    const files = storedFiles(ask.entered, question)
    const isThere = files.some(({ sha256 }) => sha256 === stored.sha256)
    if (!isThere) ask.enter(question.id, { files: [...files, stored] })
    setNews((isThere ? labels.fileThere : labels.fileAdded)(arrived.name))
    store.drop(arrived)
  })

  const last = uploads.at(-1)
  const faults = uploads.filter(({ fault }) => fault !== undefined).length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new fault is said once
  useEffect(() => {
    if (last?.fault) setNews(`${last.name}: ${last.fault}`)
  }, [faults])

  useHold(place, isSending, !isStepwise || isReview, () => setNews(labels.stillSending))
  const inSight = isReview ? [] : isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const others = uploads.filter(
    (upload) => !upload.stored && !inSight.some(({ id }) => id === upload.question),
  )
  const isHeld = isSending && news === labels.stillSending
  return (
    <div ref={place} data-uploading={isSending || undefined} style={{ display: 'contents' }}>
      {others.length > 0 && (
        <ul style={LIST} aria-label={labels.filesNotThere}>
          <UploadRows {...held} shown={others} Button={components.Button} />
        </ul>
      )}
      <p className={isHeld ? 'sa-hint' : 'sa-hidden'} role="status">
        {news}
      </p>
    </div>
  )
}
